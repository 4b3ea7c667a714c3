#define EXPORT_SYMBOL_GPL(name)
