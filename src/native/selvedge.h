/* Included in every file of the program: points at which a thread may hand over to another one, see selvedge.c. */
void selvedge_point(int point);
void selvedge_reached(void);
