_Thread_local int mine;
void raise_mine(void) { mine++; }
