/* Calls and returns. The shadows of arguments wait for the function that is called: one that was built
 * with --symbolic takes them at its entry; if they still wait when it returns, it was not, and what the
 * values became is not known: they are made concrete. */
#include "rewrite/rewrite.h"

#include "rewrite/hooks.h"

#include <string.h>

/* Functions of the runtime itself have no address that the program and it agree on before they are
 * linked: 1 stands for all. */
static bool begins(const char *name, const char *with)
{
    return !strncmp(name, with, strlen(with));
}

static bool begins_with_one_of(const char *name, const char *const *prefixes)
{
    while (*prefixes && !begins(name, *prefixes))
        prefixes++;
    return *prefixes != NULL;
}

static bool gives_input(const char *name)
{
    return begins(name, "raddle_rt_input") || begins(name, "__VERIFIER_nondet_");
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(name, *names))
            return true;
    return false;
}

/* What they are given goes out of the program. */
bool prints(const char *name)
{
    static const char *const names[] = {"printf", "fprintf", "dprintf", "puts", "fputs", "putchar", "putc",
                                        "fputc", "perror", "fwrite", "write", "raddle_rt_note",
                                        "__assert_fail", "raddle_rt_assert_fail", NULL};
    return is_one_of(name, names);
}

/* One of our own functions (libc.c and its kin), which know what they call. */
static bool is_own(struct rewrite *r)
{
    size_t length = 0;
    return begins(LLVMGetValueName2(r->function, &length), "raddle_sym_");
}

/* …and nothing of it comes back, for the program does not look at the result. */
static bool only_prints(struct rewrite *r, LLVMValueRef call, const char *name)
{
    return prints(name) && (!LLVMGetFirstUse(call) || is_own(r));
}

/* How many characters they have printed depends on what is in memory. */
static bool tells_length(const char *name)
{
    static const char *const names[] = {"printf", "fprintf", "dprintf", "puts", NULL};
    return is_one_of(name, names);
}

static bool is_ignored(const char *name)
{
    static const char *const prefixes[] = {"llvm.dbg.", "llvm.lifetime.", "llvm.va_", "llvm.assume",
                                           "llvm.experimental.noalias", "llvm.eh.", "llvm.stack",
                                           "__tsan_read", "__tsan_write", "__tsan_unaligned_",
                                           "__tsan_func_", "__tsan_vptr", "__tsan_init",
                                           "__tsan_ignore", NULL};
    return begins_with_one_of(name, prefixes);
}

static unsigned count_args(LLVMValueRef call)
{
    return LLVMGetNumArgOperands(call);
}

static LLVMTypeRef by_value_type(LLVMValueRef call, unsigned i)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* A structure that is passed by value is copied where nobody sees it. */
static void force_by_value(struct rewrite *r, LLVMValueRef call)
{
    for (unsigned i = 0; i < count_args(call); i++) {
        LLVMTypeRef type = by_value_type(call, i);
        if (!type)
            continue;
        LLVMValueRef size = LLVMSizeOf(type);
        check(r, "sym_force_memory", false,
              (LLVMValueRef[]){widened(r, LLVMGetOperand(call, i)), size}, 2);
    }
}

/* Passes what can be passed; the rest becomes concrete. Does any argument have a shadow? */
static bool pass_arguments(struct rewrite *r, LLVMValueRef call, LLVMValueRef callee, unsigned fixed)
{
    LLVMValueRef args[1 + SYM_ARGS] = {callee};
    bool any = false;
    for (unsigned i = 0; i < SYM_ARGS; i++)
        args[1 + i] = number(r, 0);
    for (unsigned i = 0; i < count_args(call); i++) {
        LLVMValueRef a = LLVMGetOperand(call, i), s = shadow_of(r, a);
        if (is_plain(s))
            continue;
        if (i >= SYM_ARGS || i >= fixed) {
            force(r, a);
            continue;
        }
        args[1 + i] = s;
        any = true;
    }
    if (any)
        check(r, "sym_call", false, args, 1 + SYM_ARGS);
    return any;
}

static void look_for_escapes(struct rewrite *r, LLVMValueRef call, LLVMValueRef callee, unsigned fixed)
{
    for (unsigned i = 0; i < count_args(call) && i < fixed && i < SYM_ARGS; i++) {
        LLVMValueRef a = LLVMGetOperand(call, i), s = shadow_of(r, a);
        if (!is_plain(s))
            check(r, "sym_escape", false, (LLVMValueRef[]){callee, s, widened(r, a)}, 3);
    }
}

/* Whatever they do with memory does not depend on what is in it. */
static bool looks_at_nothing(const char *name)
{
    static const char *const prefixes[] = {"pthread_", "sem_", "mtx_", "cnd_", "thrd_", "raddle_", "__cxa_",
                                           "_ZdlPv", "_ZdaPv", "__tsan_", "__VERIFIER_", "__errno_",
                                           "_setjmp", "__sigsetjmp", NULL};
    /* Of C++: threads, condition variables, exceptions and futures; links of trees and lists, when to
     * make a hash table larger. The program's own code gets what is inside. */
    static const char *const classes[] = {
        "_ZNSt6thread", "_ZNSt18condition_variable", "_ZNSt15__exception_ptr", "_ZSt17rethrow_exception",
        "_ZNSt13__future_base", "_ZSt18_Rb_tree_", "_ZSt28_Rb_tree_", "_ZSt29_Rb_tree_",
        "_ZNSt8__detail15_List_node_base", "_ZNKSt8__detail20_Prime_rehash_policy", "__dynamic_cast", NULL};
    static const char *const names[] = {"free", "realloc", "read", "fgets", "fread", "calloc", "malloc",
                                        NULL};
    return begins_with_one_of(name, prefixes) || begins_with_one_of(name, classes) ||
           is_one_of(name, names) || (prints(name) && !tells_length(name));
}

static void look_at_pointers(struct rewrite *r, LLVMValueRef call, LLVMValueRef callee)
{
    for (unsigned i = 0; i < count_args(call); i++) {
        LLVMValueRef a = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMPointerTypeKind && !LLVMIsConstant(a))
            check(r, "sym_pointer", false, (LLVMValueRef[]){callee, widened(r, a)}, 2);
        else if (LLVMIsAGlobalVariable(a) && !LLVMIsGlobalConstant(a))
            check(r, "sym_pointer", false, (LLVMValueRef[]){callee, widened(r, a)}, 2);
    }
}

static void take_result(struct rewrite *r, LLVMValueRef call, LLVMValueRef callee, bool calls_back)
{
    bool tracked = is_tracked(r, LLVMTypeOf(call));
    if (!tracked && !calls_back)
        return;
    LLVMValueRef s = check(r, "sym_result", true, &callee, 1);
    if (tracked)
        give(r, call, s);
}

static void rewrite_create(struct rewrite *r, LLVMValueRef call)
{
    LLVMValueRef s = shadow_of(r, LLVMGetOperand(call, 3));
    force(r, LLVMGetOperand(call, 2));
    if (!is_plain(s))
        check(r, "sym_thread", false, &s, 1);
}

static bool ends_thread(const char *name)
{
    static const char *const names[] = {"pthread_exit", "thrd_exit", NULL};
    return is_one_of(name, names);
}

static bool ends_process(const char *name)
{
    static const char *const names[] = {"exit", "_exit", "_Exit", "quick_exit", NULL};
    return is_one_of(name, names);
}

/* What a thread or the process ends with. */
static void rewrite_end(struct rewrite *r, LLVMValueRef call, const char *name)
{
    LLVMValueRef value = LLVMGetOperand(call, 0), s = shadow_of(r, value);
    if (ends_thread(name))
        check(r, "sym_thread", false, &s, 1);
    else if (!is_plain(s))
        check(r, "sym_status", false, (LLVMValueRef[]){s, widened(r, value)}, 2);
}

/* What can be read again is not only printed. */
static void rewrite_output(struct rewrite *r, LLVMValueRef call, const char *name)
{
    static const struct {
        const char *name;
        unsigned args;
        int to, at, size, n;
        bool is_stream;
    } outputs[] = {{"write", 3, 0, 1, 2, -1, false},
                   {"fwrite", 4, 3, 0, 1, 2, true},
                   {"fputs", 2, 1, 0, -1, -1, true}};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        int size = outputs[i].size, n = outputs[i].n;
        if (strcmp(name, outputs[i].name) || count_args(call) != outputs[i].args)
            continue;
        LLVMValueRef zero = LLVMConstInt(r->i64, 0, 0), one = LLVMConstInt(r->i64, 1, 0);
        LLVMValueRef sized = size < 0 ? zero : LLVMGetOperand(call, (unsigned)size);
        LLVMValueRef times = n < 0 ? one : LLVMGetOperand(call, (unsigned)n);
        LLVMValueRef args[] = {widened(r, LLVMGetOperand(call, (unsigned)outputs[i].to)),
                               number(r, outputs[i].is_stream),
                               widened(r, LLVMGetOperand(call, (unsigned)outputs[i].at)),
                               shadow_of(r, sized), widened(r, sized), shadow_of(r, times),
                               widened(r, times)};
        check(r, "sym_output", false, args, 7);
    }
}

static void rewrite_other_call(struct rewrite *r, LLVMValueRef call, LLVMValueRef called, const char *name)
{
    unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    bool ours = LLVMIsAFunction(called) && !is_elsewhere(called);
    bool input = gives_input(name), any = false;
    go_before(r, call);
    LLVMValueRef callee = input ? LLVMConstInt(r->i64, 1, 0) : widened(r, called);
    if (!strcmp(name, "pthread_create") && count_args(call) == 4) {
        rewrite_create(r, call);
    } else if ((ends_thread(name) || ends_process(name)) && count_args(call) == 1) {
        rewrite_end(r, call, name);
    } else if (begins(name, "raddle_rt_input") || begins(name, "raddle_rt_choose")) {
        for (unsigned i = 0; i < count_args(call); i++)
            force(r, LLVMGetOperand(call, i));
    } else if (!only_prints(r, call, name)) {
        force(r, called);
        any = pass_arguments(r, call, callee, fixed);
    }
    rewrite_output(r, call, name);
    force_by_value(r, call);
    if (!ours && !looks_at_nothing(name) && !only_prints(r, call, name) && !(is_own(r) && name[0]))
        look_at_pointers(r, call, callee);
    if (LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail || !go_after(r, call))
        return;
    if (any && !ours)
        look_for_escapes(r, call, callee, fixed);
    take_result(r, call, callee, !ours && !looks_at_nothing(name));
}

void rewrite_call(struct rewrite *r, LLVMValueRef call)
{
    LLVMValueRef called = LLVMGetCalledValue(call);
    size_t length = 0;
    const char *name = LLVMIsAFunction(called) ? LLVMGetValueName2(called, &length) : "";
    if (is_ignored(name) && !begins(name, "llvm.lifetime.start"))
        return;
    if (rewrite_memory_call(r, call, name))
        return;
    if (LLVMIsAInlineAsm(called))
        rewrite_assembly(r, call);
    else if (begins(name, DIVIDES))
        rewrite_division(r, call, name + strlen(DIVIDES));
    else if (begins(name, OVERFLOWS))
        rewrite_overflow(r, call, name + strlen(OVERFLOWS));
    else if (begins(name, "llvm."))
        rewrite_intrinsic(r, call, name);
    else
        rewrite_other_call(r, call, called, name);
}

void rewrite_return(struct rewrite *r, LLVMValueRef instruction)
{
    if (!LLVMGetNumOperands(instruction))
        return;
    LLVMValueRef value = LLVMGetOperand(instruction, 0);
    LLVMValueRef before = LLVMGetPreviousInstruction(instruction);
    if (before && LLVMIsACallInst(before) &&
        LLVMGetTailCallKind(before) == LLVMTailCallKindMustTail)
        return;
    go_before(r, instruction);
    if (!is_tracked(r, LLVMTypeOf(value))) {
        force(r, value);
        return;
    }
    check(r, "sym_return", false,
          (LLVMValueRef[]){widened(r, r->function), shadow_of(r, value)}, 2);
}
