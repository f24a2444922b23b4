/* Cancellation and cleanup handlers. A program that never refers to pthread_cancel pays nothing; in one
 * that does, every cancellation point is a visible read of the thread's cancellation request. An
 * asynchronous request may be acted on at any time. So the thread looks for one before every operation that
 * others can notice, before every plain write, and where it leaves that mode; if there is one, it ends there
 * or does more first, which is a choice. Where it waits there is none: if it is still to wait, it has ended.
 *
 * Handlers registered with pthread_cleanup_push in C are jump buffers (__pthread_register_cancel), in
 * C++ and with -fexceptions they are cleanups of their frames: then the stack is unwound as by an
 * exception, and stops on the way at the jump buffers that lie in between. */
#include "rt/posix/cancel.h"

#include "rt/check/finding.h"
#include "rt/core/await_try.h"
#include "rt/core/block.h"
#include "rt/core/imports.h"
#include "rt/core/interpose.h"
#include "rt/core/restart.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/strings.h"
#include "rt/posix/thread.h"
#include "rt/sym/sym.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>
#include <unwind.h>

static struct _Unwind_Exception unwinding[EVENT_MAX_THREADS];

/* ---- what the program refers to ---------------------------------------------------------------- */

/* fesetround, feholdexcept and so on: what <fenv.h> has. */
static bool is_of_fenv(const char *name)
{
    static const char *const rest[] = {"set", "hold", "update", "enable", "disable", "clear", "raise",
                                       "test", "get"};
    if (name[0] != 'f' || name[1] != 'e')
        return false;
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        if (!strncmp(name + 2, rest[i], strlen(rest[i])))
            return true;
    return false;
}

static bool note_import(const char *name)
{
    rt.cancels |= !strcmp(name, "pthread_cancel");
    rt.tries_join |= !strcmp(name, "pthread_tryjoin_np") || !strcmp(name, "pthread_timedjoin_np") ||
                     !strcmp(name, "pthread_clockjoin_np");
    rt.deletes_keys |= !strcmp(name, "pthread_key_delete") || !strcmp(name, "tss_delete");
    rt.adds_handlers |= !strcmp(name, "__cxa_atexit") || !strcmp(name, "on_exit") ||
                        !strcmp(name, "__cxa_at_quick_exit");
    rt.keeps_floats |= is_of_fenv(name);
    rt.unwinds |= !strcmp(name, "__gxx_personality_v0") || !strcmp(name, "__gcc_personality_v0");
    return false;
}

static int find_imports(struct dl_phdr_info *info, size_t size, void *arg)
{
    if (restart_is_program(info->dlpi_addr + info->dlpi_phdr[0].p_vaddr))
        imports_any(info, note_import);
    return 0;
}

void cancel_init(void)
{
    dl_iterate_phdr(find_imports, NULL);
    rt.tries_join |= rt.cancels; /* who joins it may be cancelled before or after it ends */
}

/* ---- ending a thread from within ---------------------------------------------------------------- */

static void jump_to(__pthread_unwind_buf_t *b)
{
    rt.self->cleanup = b->__pad[0];
    struct __jmp_buf_tag *to = (void *)b->__cancel_jmp_buf;
    __asm__("" : "+r"(to)); /* only its first part is there, and only that is looked at */
    siglongjmp(to, 1);
}

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                struct _Unwind_Exception *e, struct _Unwind_Context *c, void *arg)
{
    __pthread_unwind_buf_t *b = rt.self->cleanup;
    if (b && ((actions & _UA_END_OF_STACK) || (uintptr_t)b->__pad[1] < _Unwind_GetCFA(c)))
        jump_to(b);
    if (actions & _UA_END_OF_STACK)
        thread_end(rt.self->result);
    return _URC_NO_REASON;
}

static void unwind_on(void)
{
    if (rt.unwinds) {
        struct _Unwind_Exception *e = &unwinding[rt.current];
        *e = (struct _Unwind_Exception){0};
        _Unwind_ForcedUnwind(e, stop, NULL);
    }
    if (rt.self->cleanup)
        jump_to(rt.self->cleanup);
    thread_end(rt.self->result);
    __builtin_unreachable();
}

void cancel_exit(void *result)
{
    rt.self->cancelling = true;
    rt.self->result = result;
    if (RT_UNLIKELY(sym != NULL))
        sym_thread_exits();
    unwind_on();
    __builtin_unreachable();
}

void __pthread_register_cancel(__pthread_unwind_buf_t *b);
RT_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t *b)
{
    if (!rt.active) {
        REAL(__pthread_register_cancel)(b);
        return;
    }
    b->__pad[0] = rt.self->cleanup;
    b->__pad[1] = (char *)__builtin_frame_address(0) + 16; /* of the caller's frame */
    rt.self->cleanup = b;
}

void __pthread_unregister_cancel(__pthread_unwind_buf_t *b);
RT_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t *b)
{
    if (!rt.active)
        REAL(__pthread_unregister_cancel)(b);
    else
        rt.self->cleanup = b->__pad[0];
}

void __pthread_unwind_next(__pthread_unwind_buf_t *b);
RT_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t *b)
{
    if (!rt.active)
        REAL(__pthread_unwind_next)(b);
    unwind_on();
    __builtin_unreachable();
}

RT_EXPORT void pthread_exit(void *result)
{
    if (!rt.active)
        REAL(pthread_exit)(result);
    cancel_exit(result);
    __builtin_unreachable();
}

/* ---- cancellation ------------------------------------------------------------------------------- */

static struct sync *requests_to(int thread)
{
    return sync_get(EVENT_CANCEL_OBJECT(thread), SYNC_OTHER);
}

bool cancel_acts(const struct thread *t)
{
    return !t->cancel_disabled && !t->cancelling && requests_to(t->id)->count;
}

bool cancel_any_time(const struct thread *t)
{
    return rt.cancels && t->cancel_async && !t->cancel_disabled && !t->cancelling;
}

uint8_t cancel_flag(void)
{
    const struct thread *t = rt.self;
    return rt.cancels && !t->cancel_disabled && !t->cancelling ? EVENT_CANCELLABLE : 0;
}

/* An asynchronous request: without it the thread would perform something else here. */
static uint8_t instead_of_another(void)
{
    return rt.self->cancel_async && cancel_acts(rt.self) ? EVENT_CANCELLABLE : 0;
}

/* How often a thread puts off its end. One in an endless loop could do so for ever. */
#define LATER 100

/* A request that may be acted on at any time was seen: does the thread do more before? */
static bool puts_off(struct event *op)
{
    struct thread *me = rt.self;
    if (me->put_off_end >= LATER) {
        finding_limit(LIMIT_CANCEL_LATER, LATER);
        return false;
    }
    if (!sched_branch(op, 2))
        return false;
    me->put_off_end++;
    object_perform(&requests_to(rt.current)->now, op);
    op->flags |= EVENT_FAILED;
    sched_log_only(op); /* a loop that waits does not wait for this */
    return true;
}

bool cancel_now_or_later(void)
{
    struct thread *me = rt.self;
    struct event *op = &rt.next[rt.current];
    if (op->kind != EV_CANCEL_POINT || !me->cancel_async || !cancel_acts(me))
        return false;
    if (!puts_off(op))
        cancel_now(op->pc);
    me->interrupted = false;
    *op = me->announced;
    return true;
}

bool cancel_put_off(void)
{
    TSET_FOR(t, &rt.live)
        if (rt.all[t].put_off_end && rt.all[t].cancel_async && cancel_acts(&rt.all[t]))
            return true;
    return false;
}

void cancel_now(uint64_t pc)
{
    struct sync *s = requests_to(rt.current);
    struct event *op = sched_op(EV_CANCEL_POINT, s->address, 8, pc);
    op->flags = instead_of_another();
    object_perform(&s->now, op);
    sync_acquire(s);
    sched_log(op);
    cancel_exit(PTHREAD_CANCELED);
}

/* Is there a request? */
static __attribute__((noinline)) void look(uint64_t pc, bool may_put_off)
{
    struct sync *s = requests_to(rt.current);
    struct event *op = sched_op(EV_CANCEL_POINT, s->address, 8, pc);
    op->flags = instead_of_another();
    sched_visit();
    if (cancel_acts(rt.self)) {
        if (may_put_off && puts_off(op))
            return;
        cancel_now(pc);
    }
    object_perform(&s->now, op);
    sched_log(op);
}

void cancel_look(uint64_t pc)
{
    if (!rt.self->cancel_disabled && !rt.self->cancelling)
        look(pc, false);
}

void cancel_any_time_point(uint64_t pc)
{
    if (cancel_any_time(rt.self))
        look(pc, true);
}

void cancel_in_call(uint64_t pc)
{
    if (rt.active && rt_from_program(pc))
        cancel_point(pc);
}

void cancel_attend(bool may_put_off)
{
    const struct event *op = &rt.next[rt.current];
    if (rt.self->cancel_async && cancel_acts(rt.self) && op->kind != EV_CANCEL_POINT)
        look(op->pc, may_put_off);
}

RT_EXPORT void pthread_testcancel(void)
{
    if (!rt.active)
        REAL(pthread_testcancel)();
    else
        cancel_point(RT_PC());
}

RT_EXPORT int pthread_cancel(pthread_t handle)
{
    PASSIVE(pthread_cancel, handle);
    int id, status = thread_named(handle, &id, RT_PC());
    if (status)
        return status;
    struct thread *t = &rt.all[id];
    struct sync *s = requests_to(id);
    await_try_disturbed();
    struct event *op = sched_op(EV_CANCEL, s->address, 8, RT_PC());
    sched_visit();
    object_perform(&s->now, op);
    if (t->state == THREAD_DONE) {
        sched_log(op);
        return t->joined ? ESRCH : 0;
    }
    sync_release(s);
    if (cancel_acts(t)) {
        t->attention = true;
        block_cancel(id);
        if (t->state == THREAD_JOINING) {
            t->interrupted = true;
            sched_run_local(id);
        }
    }
    block_done(op);
    if (id == rt.current && t->cancel_async)
        cancel_point(op->pc);
    return 0;
}

RT_EXPORT int pthread_setcancelstate(int state, int *old)
{
    PASSIVE(pthread_setcancelstate, state, old);
    strings_write(old, old ? sizeof *old : 0, RT_PC());
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (old)
        *old = rt.self->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    if (state == PTHREAD_CANCEL_DISABLE)
        cancel_any_time_point(RT_PC());
    rt.self->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    rt.self->attention |= cancel_acts(rt.self) || cancel_any_time(rt.self);
    return 0;
}

RT_EXPORT int pthread_setcanceltype(int type, int *old)
{
    PASSIVE(pthread_setcanceltype, type, old);
    strings_write(old, old ? sizeof *old : 0, RT_PC());
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (old)
        *old = rt.self->cancel_async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    if (type == PTHREAD_CANCEL_DEFERRED)
        cancel_any_time_point(RT_PC());
    rt.self->cancel_async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    rt.any_time |= rt.cancels && rt.self->cancel_async;
    rt.self->attention |= cancel_acts(rt.self) || cancel_any_time(rt.self);
    return 0;
}
