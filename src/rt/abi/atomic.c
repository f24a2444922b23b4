/* Atomic operations: always visible, performed one at a time, hence sequentially consistent whatever
 * order the program asked for. The happens-before clocks do follow the orders asked for, so data that
 * is published through a relaxed store is still reported as a race. */
#include "rt/abi/access.h"
#include "rt/abi/repeated.h"
#include "rt/check/heap.h"
#include "rt/check/race.h"
#include "rt/check/stack.h"
#include "rt/core/await_undo.h"
#include "rt/core/capture.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/core/sync.h"
#include "rt/sym/sym.h"
#include "rt/tell/story.h"

#include <stdatomic.h>

typedef unsigned __int128 u128;

static inline void note_order(int order, uintptr_t pc)
{
    if (RT_UNLIKELY(order != memory_order_seq_cst) && RT_UNLIKELY(rt.recording))
        story_order(order);
    if (RT_UNLIKELY(order != memory_order_seq_cst) && !rt.shared->weak_orders) {
        rt.shared->weak_orders = 1;
        rt.shared->weak_pc = pc;
        if (rt.undoes)
            await_undo_weak();
    }
}

static inline struct event *announce(enum event_kind kind, uintptr_t address, uint32_t size,
                                     int order, uintptr_t pc)
{
    note_order(order, pc);
    return sched_op(kind, address, size, pc);
}

static inline void visit(struct event *op)
{
    sched_visit();
    heap_check(op->object, op->size, op->kind != EV_LOAD, op->pc);
}

static inline struct event *before(enum event_kind kind, uintptr_t address, uint32_t size, int order,
                                   uintptr_t pc)
{
    struct event *op = announce(kind, address, size, order, pc);
    if (kind == EV_LOAD || kind == EV_CAS) /* a CAS of other sizes: what it is called with is not looked at */
        spin_before_look(op, acquires(order));
    visit(op);
    return op;
}

static inline __attribute__((always_inline)) void performed(struct event *op, int order, bool reads,
                                                            bool writes)
{
    order_performed(op, order, reads, writes);
    sched_log(op);
}

static __attribute__((noinline)) void after_load(struct event *op, int order)
{
    performed(op, order, true, false);
}

static __attribute__((noinline)) void after_store(struct event *op, int order)
{
    performed(op, order, false, true);
}

static __attribute__((noinline)) void after_update(struct event *op, int order)
{
    performed(op, order, true, true);
}

static void after(struct event *op, int order)
{
    enum event_class c = event_class(op->kind);
    if (c == CLASS_READ)
        after_load(op, order);
    else if (c == CLASS_WRITE)
        after_store(op, order);
    else
        after_update(op, order);
}

#define IS_ADDITION(name) (!__builtin_strcmp(name, "fetch_add") || !__builtin_strcmp(name, "fetch_sub"))
#define ATOMIC_UPDATE(bits, T, name, expression)                                                   \
    static inline T name##_##bits(volatile T *a, T v, int order, uintptr_t pc)                     \
    {                                                                                              \
        if (RT_UNLIKELY(!rt.active))                                                               \
            return passive_##name##_##bits(a, v);                                                  \
        struct event *again = repeated(EV_RMW, (uintptr_t)a, sizeof(T), pc);                       \
        if (again) {                                                                               \
            T old = *a;                                                                            \
            *a = (T)(expression);                                                                  \
            repeated_update(again, (uint64_t)old, (uint64_t)*a, order);                            \
            return old;                                                                            \
        }                                                                                          \
        struct event *op = announce(EV_RMW, (uintptr_t)a, sizeof(T), order, pc);                   \
        op->value = (uint64_t)v;                                                                   \
        if (RT_UNLIKELY(rt.undoes) && IS_ADDITION(#name))                                          \
            rt.self->await.add_pc = pc;                                                            \
        spin_before_look(op, acquires(order));                                                     \
        visit(op);                                                                                 \
        T old = *a;                                                                                \
        *a = (T)(expression);                                                                      \
        op->other = (uint64_t)old;                                                                 \
        op->value = (uint64_t)*a;                                                                  \
        after_update(op, order);                                                                   \
        return old;                                                                                \
    }                                                                                              \
    T hook_atomic##bits##_##name(volatile T *a, T v, int order);                                   \
    T hook_atomic##bits##_##name(volatile T *a, T v, int order)                                    \
    {                                                                                              \
        T old = name##_##bits(a, v, order, RT_PC());                                               \
        return SPIN_WIPED(bits, old);                                                              \
    }
#define ATOMIC_CAS(bits, T, name)                                                                  \
    int hook_atomic##bits##_compare_exchange_##name(volatile T *a, T *expected, T v, int order,    \
                                                    int fail_order);                               \
    int hook_atomic##bits##_compare_exchange_##name(volatile T *a, T *expected, T v, int order,    \
                                                    int fail_order)                                \
    {                                                                                              \
        if (RT_UNLIKELY(rt.captures))                                                              \
            capture_argument((uintptr_t)expected);                                                 \
        T old = cas_##bits(a, *expected, v, order, fail_order, RT_PC());                           \
        uint32_t same = old == *expected;                                                          \
        *(same ? &old : expected) = old;                                                           \
        return (int)SPIN_WIPED(32, same);                                                          \
    }

#define ATOMICS(bits, T)                                                                           \
    PASSIVE_OPS(bits, T)                                                                           \
    static T cas_##bits(volatile T *a, T expected, T v, int order, int fail_order, uintptr_t pc)   \
    {                                                                                              \
        if (RT_UNLIKELY(!rt.active))                                                               \
            return passive_cas_##bits(a, expected, v);                                             \
        uint32_t shadow = RT_UNLIKELY(sym != NULL) ? sym_take_expected() : 0;                      \
        struct event *op = announce(EV_CAS, (uintptr_t)a, sizeof(T), order, pc);                   \
        op->value = (uint64_t)v;                                                                   \
        op->other = (uint64_t)expected;                                                            \
        spin_before_look(op, acquires(fail_order));                                                \
        visit(op);                                                                                 \
        bool either = RT_UNLIKELY(sym != NULL) &&                                                  \
                      sym_before_exchange((uintptr_t)a, sizeof(T), shadow, (uint64_t)expected, pc); \
        T old = *a;                                                                                \
        bool done = old == expected;                                                               \
        if (done)                                                                                  \
            *a = v;                                                                                \
        op->kind = done || either ? EV_RMW : EV_CAS_FAIL;                                          \
        op->other = (uint64_t)expected;                                                            \
        op->value = (uint64_t)*a;                                                                  \
        op->flags |= either ? 0 : done ? EVENT_COMPARE : EVENT_FAILED;                             \
        if (done || either)                                                                        \
            after_update(op, done ? order : fail_order);                                           \
        else                                                                                       \
            after_load(op, fail_order);                                                            \
        return old;                                                                                \
    }                                                                                              \
    static inline T load_##bits(const volatile T *a, int order, uintptr_t pc)                      \
    {                                                                                              \
        if (RT_UNLIKELY(!rt.active))                                                               \
            return passive_load_##bits(a);                                                         \
        struct event *again = repeated(EV_LOAD, (uintptr_t)a, sizeof(T), pc);                      \
        if (again) {                                                                               \
            T seen = *a;                                                                           \
            repeated_load(again, (uint64_t)seen, order);                                           \
            return seen;                                                                           \
        }                                                                                          \
        struct event *op = before(EV_LOAD, (uintptr_t)a, sizeof(T), order, pc);                    \
        T v = *a;                                                                                  \
        op->value = (uint64_t)v;                                                                   \
        after_load(op, order);                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    T hook_atomic##bits##_load(const volatile T *a, int order);                                    \
    T hook_atomic##bits##_load(const volatile T *a, int order)                                     \
    {                                                                                              \
        T v = load_##bits(a, order, RT_PC());                                                      \
        return SPIN_WIPED(bits, v);                                                                \
    }                                                                                              \
    static inline void store_##bits(volatile T *a, T v, int order, uintptr_t pc)                   \
    {                                                                                              \
        if (RT_UNLIKELY(!rt.active)) {                                                             \
            passive_store_##bits(a, v);                                                            \
            return;                                                                                \
        }                                                                                          \
        struct event *again = repeated(EV_STORE, (uintptr_t)a, sizeof(T), pc);                     \
        if (again) {                                                                               \
            uint64_t old = (uint64_t)*a;                                                           \
            *a = v;                                                                                \
            repeated_store(again, old, (uint64_t)v, order);                                        \
            return;                                                                                \
        }                                                                                          \
        struct event *op = announce(EV_STORE, (uintptr_t)a, sizeof(T), order, pc);                 \
        op->value = (uint64_t)v;                                                                   \
        if (RT_UNLIKELY(rt.undoes) && await_is_place(pc))                                          \
            await_arrive(op, false);                                                               \
        visit(op);                                                                                 \
        op->other = (uint64_t)*a;                                                                  \
        *a = v;                                                                                    \
        op->value = (uint64_t)v;                                                                   \
        after_store(op, order);                                                                    \
    }                                                                                              \
    void hook_atomic##bits##_store(volatile T *a, T v, int order);                                 \
    void hook_atomic##bits##_store(volatile T *a, T v, int order)                                  \
    {                                                                                              \
        store_##bits(a, v, order, RT_PC());                                                        \
    }                                                                                              \
    T hook_atomic##bits##_compare_exchange_val(volatile T *a, T expected, T v, int order,          \
                                               int fail_order);                                    \
    T hook_atomic##bits##_compare_exchange_val(volatile T *a, T expected, T v, int order,          \
                                               int fail_order)                                     \
    {                                                                                              \
        T old = cas_##bits(a, expected, v, order, fail_order, RT_PC());                            \
        return SPIN_WIPED(bits, old);                                                              \
    }                                                                                              \
    ATOMIC_CAS(bits, T, strong)                                                                    \
    ATOMIC_CAS(bits, T, weak)                                                                      \
    ATOMIC_UPDATE(bits, T, exchange, v)                                                            \
    ATOMIC_UPDATE(bits, T, fetch_add, old + v)                                                     \
    ATOMIC_UPDATE(bits, T, fetch_sub, old - v)                                                     \
    ATOMIC_UPDATE(bits, T, fetch_and, old & v)                                                     \
    ATOMIC_UPDATE(bits, T, fetch_or, old | v)                                                      \
    ATOMIC_UPDATE(bits, T, fetch_xor, old ^ v)                                                     \
    ATOMIC_UPDATE(bits, T, fetch_nand, ~(old & v))

/* Without raddle the program runs on real threads: genuine atomics, seq_cst. 16 bytes go through
 * cmpxchg16b, for which gcc would call libatomic. */
#define PASSIVE_UPDATE(bits, T, name, expression)                                                  \
    static T passive_##name##_##bits(volatile T *a, T v)                                           \
    {                                                                                              \
        T old = passive_load_##bits(a), seen;                                                      \
        while ((seen = passive_cas_##bits(a, old, (T)(expression))) != old)                        \
            old = seen;                                                                            \
        return old;                                                                                \
    }

#define PASSIVE_OPS(bits, T)                                                                       \
    PASSIVE_UPDATE(bits, T, exchange, v)                                                           \
    PASSIVE_UPDATE(bits, T, fetch_add, old + v)                                                    \
    PASSIVE_UPDATE(bits, T, fetch_sub, old - v)                                                    \
    PASSIVE_UPDATE(bits, T, fetch_and, old & v)                                                    \
    PASSIVE_UPDATE(bits, T, fetch_or, old | v)                                                     \
    PASSIVE_UPDATE(bits, T, fetch_xor, old ^ v)                                                    \
    PASSIVE_UPDATE(bits, T, fetch_nand, ~(old & v))

#define PASSIVE_BASIC(bits, T)                                                                     \
    static T passive_load_##bits(const volatile T *a)                                              \
    {                                                                                              \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    static void passive_store_##bits(volatile T *a, T v)                                           \
    {                                                                                              \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                              \
    static T passive_cas_##bits(volatile T *a, T expected, T v)                                    \
    {                                                                                              \
        __atomic_compare_exchange_n(a, &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
        return expected;                                                                           \
    }

PASSIVE_BASIC(8, uint8_t)
PASSIVE_BASIC(16, uint16_t)
PASSIVE_BASIC(32, uint32_t)
PASSIVE_BASIC(64, uint64_t)

static u128 passive_cas_128(volatile u128 *a, u128 expected, u128 v)
{
    uint64_t low = (uint64_t)expected, high = (uint64_t)(expected >> 64);
    __asm__ volatile("lock cmpxchg16b %2"
                     : "+a"(low), "+d"(high), "+m"(*a)
                     : "b"((uint64_t)v), "c"((uint64_t)(v >> 64))
                     : "cc", "memory");
    return (u128)high << 64 | low;
}

static u128 passive_load_128(const volatile u128 *a)
{
    return passive_cas_128((volatile u128 *)a, 0, 0);
}

static void passive_store_128(volatile u128 *a, u128 v)
{
    u128 old = passive_load_128(a), seen;
    while ((seen = passive_cas_128(a, old, v)) != old)
        old = seen;
}

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
ATOMICS(128, u128)

/* What the compilers leave to libatomic: 16 bytes on a processor not known to have cmpxchg16b, and
 * structures of other sizes, by their length. The names are built into the compilers. */
#define LIBRARY(name) __asm__("__atomic_" #name)

u128 library_load_16(const volatile u128 *a, int order) LIBRARY(load_16);
RT_EXPORT u128 library_load_16(const volatile u128 *a, int order)
{
    return load_128(a, order, RT_PC());
}

void library_store_16(volatile u128 *a, u128 v, int order) LIBRARY(store_16);
RT_EXPORT void library_store_16(volatile u128 *a, u128 v, int order)
{
    store_128(a, v, order, RT_PC());
}

u128 library_exchange_16(volatile u128 *a, u128 v, int order) LIBRARY(exchange_16);
RT_EXPORT u128 library_exchange_16(volatile u128 *a, u128 v, int order)
{
    return exchange_128(a, v, order, RT_PC());
}

bool library_compare_exchange_16(volatile u128 *a, u128 *expected, u128 v, int order,
                                 int fail_order) LIBRARY(compare_exchange_16);
RT_EXPORT bool library_compare_exchange_16(volatile u128 *a, u128 *expected, u128 v, int order,
                                           int fail_order)
{
    u128 wanted = *expected;
    *expected = cas_128(a, wanted, v, order, fail_order, RT_PC());
    return *expected == wanted;
}

static atomic_flag passive_lock = ATOMIC_FLAG_INIT;

static void passive_enter(void)
{
    while (!rt.active && atomic_flag_test_and_set(&passive_lock))
        __builtin_ia32_pause();
}

static void passive_leave(void)
{
    if (!rt.active)
        atomic_flag_clear(&passive_lock);
}

static struct event *sized_before(enum event_kind kind, const void *a, size_t n, int order,
                                  uintptr_t pc)
{
    passive_enter();
    capture_part();
    return rt.active ? before(kind, (uintptr_t)a, (uint32_t)n, order, pc) : NULL;
}

static void sized_after(struct event *op, int order)
{
    if (op) {
        op->value = access_value(op->object, op->size);
        after(op, order);
    }
    passive_leave();
}

void library_load(size_t n, const void *a, void *out, int order) LIBRARY(load);
RT_EXPORT void library_load(size_t n, const void *a, void *out, int order)
{
    struct event *op = sized_before(EV_LOAD, a, n, order, RT_PC());
    rt_copy(out, a, n);
    sized_after(op, order);
}

void library_store(size_t n, void *a, const void *v, int order) LIBRARY(store);
RT_EXPORT void library_store(size_t n, void *a, const void *v, int order)
{
    struct event *op = sized_before(EV_STORE, a, n, order, RT_PC());
    rt_copy(a, v, n);
    sized_after(op, order);
}

void library_exchange(size_t n, void *a, const void *v, void *old, int order) LIBRARY(exchange);
RT_EXPORT void library_exchange(size_t n, void *a, const void *v, void *old, int order)
{
    struct event *op = sized_before(EV_RMW, a, n, order, RT_PC());
    rt_copy(old, a, n);
    rt_copy(a, v, n);
    if (op)
        op->other = access_value((uintptr_t)old, n);
    sized_after(op, order);
}

bool library_compare_exchange(size_t n, void *a, void *expected, const void *v, int order,
                              int fail_order) LIBRARY(compare_exchange);
RT_EXPORT bool library_compare_exchange(size_t n, void *a, void *expected, const void *v, int order,
                                        int fail_order)
{
    struct event *op = sized_before(EV_CAS, a, n, order, RT_PC());
    bool done = rt_same(a, expected, n);
    if (op) {
        op->kind = done ? EV_RMW : EV_CAS_FAIL;
        op->flags |= done ? EVENT_COMPARE : EVENT_FAILED;
        op->other = access_value((uintptr_t)expected, n);
    }
    rt_copy(done ? a : expected, done ? v : a, n);
    sized_after(op, done ? order : fail_order);
    return done;
}

void atomic_set_byte(volatile uint8_t *a, uint8_t v, uintptr_t pc)
{
    struct event *op = atomic_before(EV_STORE, (uintptr_t)a, 1, pc);
    op->other = *a;
    *a = v;
    op->value = v;
    after(op, memory_order_release);
}

struct event *atomic_before(enum event_kind kind, uintptr_t address, uint32_t size, uintptr_t pc)
{
    capture_part();
    return before(kind, address, size, memory_order_seq_cst, pc);
}

void atomic_after(struct event *op)
{
    after(op, memory_order_seq_cst);
}

void __tsan_atomic_thread_fence(int order);
RT_EXPORT void __tsan_atomic_thread_fence(int order)
{
    if (!rt.active) {
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        return;
    }
    struct thread *t = rt.self;
    note_order(order, RT_PC());
    if (acquires(order) && t->has_acquire_later) {
        vclock_join(&t->clock, &t->acquire_later);
        t->has_acquire_later = false;
    }
    if (releases(order)) {
        vclock_copy(&t->release_fence, &t->clock);
        t->has_release_fence = true;
        t->clock.c[t->id]++;
    }
}

void __tsan_atomic_signal_fence(int order);
RT_EXPORT void __tsan_atomic_signal_fence(int order)
{
}
