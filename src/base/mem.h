/* Host-side memory: never returns NULL (out of memory is fatal and says so), plus a growable
 * array. Not for code that lives inside the tested program: that uses base/arena.h. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdarg.h>

void *mem_alloc(size_t n); /* zeroed */
void *mem_realloc(void *p, size_t n);
char *mem_strdup(const char *s);
char *mem_strndup(const char *s, size_t n);
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *mem_vprintf(const char *fmt, va_list ap);

/* Growable array of T: `VEC(int) v = {0}; vec_push(&v, 3); v.items[i]; v.count; vec_free(&v);` */
#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *items;                                                                                  \
        size_t count, room;                                                                        \
    }
#define vec_reserve(v, n) mem_vec_grow((void **)&(v)->items, &(v)->room, (n), sizeof *(v)->items)
/* The item is computed before the array moves: it may be read from the array itself. */
#define vec_push(v, x)                                                                             \
    ({                                                                                             \
        __typeof__(*(v)->items) vec_item = (x);                                                    \
        vec_reserve((v), (v)->count + 1);                                                          \
        (v)->items[(v)->count++] = vec_item;                                                       \
        (void)0;                                                                                   \
    })
#define vec_free(v) mem_vec_free((void **)&(v)->items, &(v)->count, &(v)->room)

void mem_vec_grow(void **items, size_t *room, size_t need, size_t size);
void mem_vec_free(void **items, size_t *count, size_t *room);

#endif
