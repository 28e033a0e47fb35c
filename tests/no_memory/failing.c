/*
 * A library to preload: memory that is not to be had, for chosen allocations of one thread.
 *
 * cuf_run calls a Python object while its allocations from number `first` to `last` fail (counted
 * from 1), and puts into `count` how many it asked for. Python's functions are looked up when they
 * are needed, so that no header of Python's is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

/* glibc's names for its own functions: to look them up would ask for memory. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static __thread int is_armed;
static __thread long first_to_fail, last_to_fail, asked_for;

static int fails(void)
{
    if (!is_armed) {
        return 0;
    }
    asked_for++;
    if (asked_for < first_to_fail || asked_for > last_to_fail) {
        return 0;
    }
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }

void *realloc(void *memory, size_t size)
{
    return size && fails() ? NULL : __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *found = fails() ? NULL : __libc_memalign(alignment, size);
    if (found == NULL) {
        return ENOMEM;
    }
    *memory = found;
    return 0;
}

void *cuf_run(void *callable, long first, long last, long *count)
{
    static void *(*call)(void *);
    if (call == NULL) {
        call = (void *(*)(void *))dlsym(RTLD_DEFAULT, "PyObject_CallNoArgs");
    }
    first_to_fail = first;
    last_to_fail = last;
    asked_for = 0;
    is_armed = 1;
    void *result = call(callable);
    is_armed = 0;
    *count = asked_for;
    return result;
}
