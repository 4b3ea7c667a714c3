/* Cleanup handlers: a list from the newest on. Where the C library's headers register a place to jump back to
 * instead, a thread that ends before the place is left is not modelled. */
struct __selvedge_cleanup {
  void (*routine)(void *);
  void *argument;
  struct __selvedge_cleanup *next;
};
extern struct __selvedge_cleanup **__selvedge_handlers(void);
extern int *__selvedge_registered(void);
extern void __selvedge_unknown_handlers(void);
extern void __selvedge_end(void *result);

void __selvedge_cleanup_push(struct __selvedge_cleanup *handler) {
  handler->next = *__selvedge_handlers();
  *__selvedge_handlers() = handler;
}

void __selvedge_cleanup_pop(struct __selvedge_cleanup *handler, int execute) {
  *__selvedge_handlers() = handler->next;
  if (FAULT(POP_ALWAYS, 1, execute))
    handler->routine(handler->argument);
}

void __pthread_register_cancel(void *place) { ++*__selvedge_registered(); }
void __pthread_unregister_cancel(void *place) { --*__selvedge_registered(); }

int __selvedge_exit(void *result) {
  if (*__selvedge_registered())
    __selvedge_unknown_handlers();
  FAULT(ONE_HANDLER, if, while) (FAULT(HANDLERS_LOST, 0, *__selvedge_handlers())) {
    struct __selvedge_cleanup *handler = *__selvedge_handlers();
    *__selvedge_handlers() = handler->next;
    handler->routine(handler->argument);
  }
  __selvedge_finish();
  __selvedge_end(result);
  return 0;
}
