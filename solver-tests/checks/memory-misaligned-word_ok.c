// SUCCESSFUL
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t sequence_of(const unsigned char *packet)
{
    uint32_t word;
    memcpy(&word, packet + 1, sizeof word);
    return word;
}

int main(void)
{
    unsigned char *packet = malloc(8);
    if (packet == NULL)
        return 1;
    for (int i = 0; i < 8; i++)
        packet[i] = 0;
    uint32_t sequence = sequence_of(packet);
    printf("%u\n", (unsigned)sequence);
    free(packet);
    return 0;
}
