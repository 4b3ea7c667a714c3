// A node under a hazard pointer: one thread reads it while another removes and frees it.
#include <assert.h>
#include <stdlib.h>
#include <ck_hp.h>
#include <ck_pr.h>

struct node {
  int value;
  ck_hp_hazard_t hazard;
};
static ck_hp_t state;
static ck_hp_record_t records[2];
static void *hazards[2][1];
static struct node *shared;
static void start(int n) { ck_hp_register(&state, &records[n], hazards[n]); }
