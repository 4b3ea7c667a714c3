//! Names of functions.

/// A function's name without the prefix under which compilers or the C library know it.
pub(super) fn plain_name(name: &str) -> &str {
    let inner = name.strip_prefix("__builtin_").unwrap_or(name);
    let hidden = [
        "pthread_mutex",
        "pthread_rwlock",
        "pthread_key",
        "pthread_getspecific",
        "pthread_setspecific",
        "pthread_once",
        "pthread_create",
        "pthread_join",
    ];
    match inner.strip_prefix("__") {
        Some(plain) if hidden.iter().any(|prefix| plain.starts_with(prefix)) => plain,
        _ => inner,
    }
}
