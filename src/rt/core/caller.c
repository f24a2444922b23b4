/* Whose call is this? Functions of the C++ library (std::thread's constructor, the waits of condition
 * variables and futures) call pthread functions from the library's own code, which was not built with
 * raddle; the place that matters is the one in the program. Found by unwinding, when the caller is
 * not the program itself. */
#include "rt/core/caller.h"

#include "rt/core/restart.h"

#include <link.h>
#include <string.h>
#include <unwind.h>

static struct caller_range {
    uintptr_t start, size;
} libgcc;

static bool in_range(const struct caller_range *r, uintptr_t pc)
{
    return pc - r->start < r->size;
}

/* The executable segment of a module. */
static struct caller_range text_of(const struct dl_phdr_info *info)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && p->p_flags & PF_X)
            return (struct caller_range){info->dlpi_addr + p->p_vaddr, p->p_memsz};
    }
    return (struct caller_range){0, 0};
}

static int note_module(struct dl_phdr_info *info, size_t size, void *first)
{
    if (*(bool *)first) { /* the program comes first */
        struct caller_range r = text_of(info);
        rt.program_start = r.start;
        rt.program_size = r.size;
        *(bool *)first = false;
    }
    if (strstr(info->dlpi_name, "/libgcc_s.so"))
        libgcc = text_of(info);
    return 0;
}

void caller_init(void)
{
    bool first = true;
    dl_iterate_phdr(note_module, &first);
}

bool caller_is_unwinder(uintptr_t pc)
{
    return in_range(&libgcc, pc);
}

static bool is_program(uintptr_t pc)
{
    static uintptr_t yes, no; /* the last answers, by page */
    uintptr_t page = pc >> 12;
    if (pc - rt.program_start < rt.program_size || page == yes)
        return true;
    if (page == no || !rt_from_program(pc))
        return false;
    bool found = restart_is_program(pc);
    *(found ? &yes : &no) = page;
    return found;
}

static _Unwind_Reason_Code look(struct _Unwind_Context *c, void *arg)
{
    uintptr_t pc = _Unwind_GetIP(c);
    if (!pc || !is_program(pc))
        return _URC_NO_REASON;
    *(uintptr_t *)arg = pc;
    return _URC_END_OF_STACK;
}

uintptr_t rt_caller_slow(uintptr_t pc)
{
    uintptr_t found = pc;
    if (is_program(pc))
        return pc;
    bool was = rt.active;
    rt.active = false;
    _Unwind_Backtrace(look, &found);
    rt.active = was;
    return found;
}

/* ---- what its frame holds ----------------------------------------------------------------------------- */

static _Unwind_Reason_Code first_program_frame(struct _Unwind_Context *c, void *arg)
{
    static const int saved[] = {3 /* rbx */, 6 /* rbp */, 12, 13, 14, 15};
    struct frame *f = arg;
    f->pc = _Unwind_GetIP(c);
    if (!rt_from_program(f->pc))
        return _URC_NO_REASON;
    for (unsigned i = 0; i < sizeof saved / sizeof saved[0]; i++)
        f->saved[i] = _Unwind_GetGR(c, saved[i]);
    f->sp = _Unwind_GetCFA(c);
    return _URC_END_OF_STACK;
}

/* Of a call that does not come through hooks.S. */
static __attribute__((noinline)) struct frame unwound(void)
{
    struct frame f = {{0}, 0, 0};
    bool was = rt.active;
    rt.active = false;
    _Unwind_Backtrace(first_program_frame, &f);
    rt.active = was;
    return f;
}

bool caller_frame(uint64_t pc, struct frame *f, uintptr_t *sp)
{
    bool noted = RT_LIKELY(rt.self->frame.pc == pc);
    *f = noted ? rt.self->frame : unwound();
    *sp = noted ? f->sp + 8 : f->sp; /* without the return address of the hook */
    return f->sp;
}
