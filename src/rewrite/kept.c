/* What LLVM may take away because a right program cannot tell: a division whose result is not needed,
 * or is known unless the divisor is 0; a comparison that only an overflow can turn round (x + 1 < x); at
 * -O0 a read whose value is not used. Here a program is not known to be right, so these are kept until
 * they have been rewritten.
 *
 * A division is announced by a call in front of it, which becomes the check of its divisor. Sums,
 * differences and products wrap round, as the expressions do; that the source does not allow it stays
 * known for --check overflow. At -O0 they and shifts are announced, too, as what is not needed of them
 * would go with its overflow; otherwise a call costs more than it is worth. A read is volatile while
 * passes run. */
#include "rewrite/rewrite.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

static unsigned mark(LLVMValueRef i, const char *name)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(
        LLVMGetInstructionParent(i))));
    return LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
}

static bool is_marked(LLVMValueRef i, const char *name)
{
    return LLVMGetMetadata(i, mark(i, name)) != NULL;
}

static void set_mark(LLVMValueRef i, const char *name)
{
    unsigned kind = mark(i, name);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(i));
    LLVMMetadataRef nothing = LLVMMDNodeInContext2(context, NULL, 0);
    LLVMSetMetadata(i, kind, LLVMMetadataAsValue(context, nothing));
}

/* ---- operations that fail -------------------------------------------------------------------------- */

static void add_attribute(LLVMValueRef f, const char *name, uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, kind, value));
}

/* By a call of the function `prefix` and what it is. */
static void announce(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef i, const char *prefix)
{
    const uint64_t unseen_memory = 3 << 2; /* reads and writes what no program sees: it must stay */
    LLVMValueRef args[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)};
    LLVMTypeRef one = LLVMTypeOf(i);
    if (LLVMGetTypeKind(one) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(one) > 64)
        return;
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetModuleContext(module)),
                                        (LLVMTypeRef[]){one, one}, 2, 0);
    char name[64];
    snprintf(name, sizeof name, "%s%u.%u", prefix, (unsigned)LLVMGetInstructionOpcode(i),
             LLVMGetIntTypeWidth(one));
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (!f) {
        f = LLVMAddFunction(module, name, type);
        add_attribute(f, "memory", unseen_memory);
        add_attribute(f, "nounwind", 0);
        add_attribute(f, "willreturn", 0);
    }
    LLVMPositionBuilderBefore(b, i);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
    LLVMBuildCall2(b, type, f, args, 2, "");
}

static bool can_fail(LLVMValueRef division)
{
    LLVMValueRef by = LLVMGetOperand(division, 1);
    return !LLVMIsAConstantInt(by) || LLVMConstIntGetSExtValue(by) == 0 ||
           LLVMConstIntGetSExtValue(by) == -1;
}

/* ---- reads ------------------------------------------------------------------------------------------ */

static bool is_constant_place(LLVMValueRef address)
{
    return LLVMIsConstant(address) && LLVMIsAGlobalVariable(address) && LLVMIsGlobalConstant(address);
}

/* Only those that could fail, or that others can come between. */
static void hold(LLVMValueRef load)
{
    LLVMValueRef address = LLVMGetOperand(load, 0);
    if (LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic ||
        is_private_local(address) || is_constant_place(address))
        return;
    set_mark(load, "raddle.read");
    LLVMSetVolatile(load, 1);
}

void hold_reads(LLVMModuleRef module, bool on)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsALoadInst(i) && is_marked(i, "raddle.read"))
                    LLVMSetVolatile(i, on && !is_private_local(LLVMGetOperand(i, 0)));
}

/* ---- all -------------------------------------------------------------------------------------------- */

bool may_not_wrap(LLVMValueRef i)
{
    return LLVMIsAInstruction(i) && is_marked(i, "raddle.nowrap");
}

static void keep(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef i, bool all)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        if (can_fail(i))
            announce(module, b, i, DIVIDES);
        break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        if (all && !LLVMIsAConstantInt(LLVMGetOperand(i, 1)))
            announce(module, b, i, OVERFLOWS);
        break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
        if (LLVMGetNSW(i) && all)
            announce(module, b, i, OVERFLOWS);
        if (LLVMGetNSW(i))
            set_mark(i, "raddle.nowrap");
        LLVMSetNSW(i, 0);
        LLVMSetNUW(i, 0);
        break;
    case LLVMLoad:
        if (all)
            hold(i);
        break;
    default:
        break;
    }
}

void keep_faults(LLVMModuleRef module, bool all)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                keep(module, builder, i, all);
    LLVMDisposeBuilder(builder);
}
