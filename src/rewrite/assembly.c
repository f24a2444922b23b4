/* Assembly statements, and intrinsics of the processor that read memory themselves. Their operands become
 * concrete, also those in memory; memory that they reach by a pointer is not followed. */
#include "rewrite/rewrite.h"

#include <string.h>

/* An operand in memory ("m"): its address is the argument, its type an attribute of it. */
static LLVMValueRef size_in_memory(struct rewrite *r, LLVMValueRef call, unsigned i)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    return a ? LLVMConstInt(r->i64, LLVMStoreSizeOfType(r->layout, LLVMGetTypeAttributeValue(a)), 0) : NULL;
}

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind &&
           (!LLVMIsConstant(v) || (LLVMIsAGlobalVariable(v) && !LLVMIsGlobalConstant(v)));
}

/* Is argument i a place that is only written? Outputs in memory ("=*m") and inputs have an argument each,
 * in the order of the constraints. */
static bool is_only_written(LLVMValueRef assembly, unsigned i)
{
    size_t n = 0;
    const char *c = LLVMGetInlineAsmConstraintString(assembly, &n);
    for (const char *end = c + n; c < end; c++) {
        bool place = end - c > 1 && c[0] == '=' && c[1] == '*';
        if ((place || (*c != '=' && *c != '~' && *c != '!')) && i-- == 0)
            return place;
        while (c < end && *c != ',')
            c++;
    }
    return false;
}

/* Nothing that is executed: the program only keeps the compiler from knowing something. */
static bool does_nothing(LLVMValueRef assembly)
{
    size_t n = 0;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &n);
    return strspn(text, " \t\n;") >= n;
}

void rewrite_assembly(struct rewrite *r, LLVMValueRef call)
{
    LLVMValueRef called = LLVMGetCalledValue(call);
    unsigned n = LLVMGetNumArgOperands(call);
    bool reads = !does_nothing(called);
    go_before(r, call);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef a = LLVMGetOperand(call, i), size = size_in_memory(r, call, i);
        force(r, a);
        if (!reads || is_only_written(called, i))
            continue;
        if (size)
            check(r, "sym_force_memory", false, (LLVMValueRef[]){widened(r, a), size}, 2);
        else if (is_pointer(a))
            check(r, "sym_pointer", false, (LLVMValueRef[]){LLVMConstInt(r->i64, 1, 0), widened(r, a)}, 2);
    }
    if (!reads || !go_after(r, call))
        return;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef size = size_in_memory(r, call, i);
        if (size)
            check(r, "sym_clear", false, (LLVMValueRef[]){widened(r, LLVMGetOperand(call, i)), size}, 2);
    }
}

void rewrite_intrinsic(struct rewrite *r, LLVMValueRef call, const char *name)
{
    bool reads = !strncmp(name, "llvm.x86.", 9) || !strncmp(name, "llvm.masked.", 12);
    go_before(r, call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef a = LLVMGetOperand(call, i);
        force(r, a);
        if (reads && is_pointer(a))
            check(r, "sym_pointer", false, (LLVMValueRef[]){LLVMConstInt(r->i64, 1, 0), widened(r, a)}, 2);
    }
}
