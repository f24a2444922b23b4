/* Calls that the rest of the rewriter could not follow, put differently before it begins: arguments behind
 * "..." of functions that libc_format.c and libc_scan.c have become an array of words, and intrinsics of LLVM
 * with a meaning of their own become the operations they stand for. */
#include "rewrite/rewrite.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static LLVMTypeRef word_type(LLVMModuleRef m)
{
    return LLVMInt64TypeInContext(LLVMGetModuleContext(m));
}

static void stand_before(LLVMBuilderRef b, LLVMValueRef call)
{
    LLVMPositionBuilderBeforeInstrAndDbgRecords(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
}

static void put_instead(LLVMValueRef call, LLVMValueRef value)
{
    LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
}

/* ---- arguments behind "..." ------------------------------------------------------------------ */

static bool fits_word(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMPointerTypeKind || kind == LLVMDoubleTypeKind ||
           (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64);
}

static LLVMValueRef as_word(LLVMBuilderRef b, LLVMValueRef value, LLVMTypeRef word)
{
    switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
    case LLVMPointerTypeKind:
        return LLVMBuildPtrToInt(b, value, word, "");
    case LLVMDoubleTypeKind:
        return LLVMBuildBitCast(b, value, word, "");
    default:
        return LLVMBuildZExt(b, value, word, "");
    }
}

static LLVMValueRef make_array(LLVMBuilderRef b, LLVMValueRef call, LLVMTypeRef type)
{
    LLVMBasicBlockRef here = LLVMGetInstructionParent(call);
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here)));
    LLVMPositionBuilderBefore(b, first);
    return LLVMBuildAlloca(b, type, "words");
}

static bool call_with_words(LLVMModuleRef m, LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef function,
                            const char *own)
{
    LLVMTypeRef old = LLVMGlobalGetValueType(function), word = word_type(m), params[8];
    unsigned fixed = LLVMCountParamTypes(old), n = LLVMGetNumArgOperands(call), k = n - fixed;
    LLVMValueRef args[8];
    for (unsigned i = fixed; i < n; i++)
        if (!fits_word(LLVMGetOperand(call, i)))
            return false;
    LLVMTypeRef array_type = LLVMArrayType2(word, k ? k : 1);
    LLVMValueRef array = make_array(b, call, array_type), zero = LLVMConstInt(word, 0, 0);
    stand_before(b, call);
    for (unsigned i = 0; i < k; i++) {
        LLVMValueRef at[] = {zero, LLVMConstInt(word, i, 0)};
        LLVMBuildStore(b, as_word(b, LLVMGetOperand(call, fixed + i), word),
                       LLVMBuildInBoundsGEP2(b, array_type, array, at, 2, ""));
    }
    LLVMGetParamTypes(old, params);
    for (unsigned i = 0; i < fixed; i++)
        args[i] = LLVMGetOperand(call, i);
    params[fixed] = LLVMPointerTypeInContext(LLVMGetModuleContext(m), 0);
    args[fixed] = array;
    LLVMTypeRef type = LLVMFunctionType(LLVMGetReturnType(old), params, fixed + 1, 0);
    LLVMValueRef instead = LLVMGetNamedFunction(m, own);
    if (!instead)
        instead = LLVMAddFunction(m, own, type);
    put_instead(call, LLVMBuildCall2(b, type, instead, args, fixed + 1, ""));
    return true;
}

/* To stdout or stderr, as far as the call says. */
static bool is_output(LLVMValueRef to)
{
    size_t n;
    if (LLVMIsAConstantInt(to))
        return LLVMConstIntGetZExtValue(to) == 1 || LLVMConstIntGetZExtValue(to) == 2;
    LLVMValueRef from = LLVMIsALoadInst(to) ? LLVMGetOperand(to, 0) : NULL;
    const char *name = from && LLVMIsAGlobalVariable(from) ? LLVMGetValueName2(from, &n) : "";
    return !strcmp(name, "stdout") || !strcmp(name, "stderr");
}

/* What only prints is followed where the program looks at how many characters that were. */
static bool is_of_interest(LLVMValueRef call, const char *plain)
{
    return !prints(plain) || LLVMGetFirstUse(call) ||
           (strcmp(plain, "printf") != 0 && !is_output(LLVMGetOperand(call, 0)));
}

static bool rewrite_variadic(LLVMModuleRef m, LLVMBuilderRef b, const char *name, const char *plain)
{
    char own[64];
    LLVMValueRef function = LLVMGetNamedFunction(m, name);
    bool any = false;
    if (!function || !is_elsewhere(function) || LLVMCountParamTypes(LLVMGlobalGetValueType(function)) > 4)
        return false;
    snprintf(own, sizeof own, "raddle_sym_%s", plain);
    for (LLVMUseRef u = LLVMGetFirstUse(function), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function && is_of_interest(user, plain))
            any |= call_with_words(m, b, user, function, own);
    }
    return any;
}

bool rewrite_variadics(LLVMModuleRef m)
{
    static const char *const names[] = {"snprintf", "sprintf", "sscanf", "fscanf", "scanf",
                                        "printf",   "fprintf", "dprintf"};
    static const char *const prefixes[] = {"", "__isoc99_", "__isoc23_"};
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (size_t k = 0; k < sizeof prefixes / sizeof prefixes[0]; k++) {
            char name[64];
            snprintf(name, sizeof name, "%s%s", prefixes[k], names[i]);
            any |= rewrite_variadic(m, b, name, names[i]);
        }
    LLVMDisposeBuilder(b);
    return any;
}

/* ---- intrinsics ------------------------------------------------------------------------------ */

static bool is_intrinsic(const char *name, const char *which)
{
    return !strncmp(name, "llvm.", 5) && !strncmp(name + 5, which, strlen(which)) &&
           name[5 + strlen(which)] == '.';
}

static LLVMValueRef chosen(LLVMBuilderRef b, LLVMIntPredicate how, LLVMValueRef x, LLVMValueRef y)
{
    return LLVMBuildSelect(b, LLVMBuildICmp(b, how, x, y, ""), x, y, "");
}

static LLVMValueRef swapped_bytes(LLVMBuilderRef b, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    unsigned width = LLVMGetIntTypeWidth(type);
    LLVMValueRef all = LLVMConstInt(type, 0, 0);
    for (unsigned i = 0; i < width; i += 8) {
        LLVMValueRef byte = LLVMBuildLShr(b, x, LLVMConstInt(type, i, 0), "");
        byte = LLVMBuildAnd(b, byte, LLVMConstInt(type, 255, 0), "");
        all = LLVMBuildOr(b, all, LLVMBuildShl(b, byte, LLVMConstInt(type, width - 8 - i, 0), ""), "");
    }
    return all;
}

static LLVMValueRef shifted(LLVMBuilderRef b, LLVMOpcode how, LLVMValueRef x, unsigned by)
{
    return LLVMBuildBinOp(b, how, x, LLVMConstInt(LLVMTypeOf(x), by, 0), "");
}

/* Of all pairs of fields of n bits: the even ones in one word, the odd ones, moved over them, in the other.
 */
static void split_fields(LLVMBuilderRef b, LLVMValueRef x, unsigned n, LLVMValueRef *even,
                         LLVMValueRef *odd)
{
    LLVMValueRef mask = LLVMConstInt(LLVMTypeOf(x), UINT64_MAX / ((1ull << n) + 1), 0);
    *even = LLVMBuildAnd(b, x, mask, "");
    *odd = LLVMBuildAnd(b, shifted(b, LLVMLShr, x, n), mask, "");
}

static LLVMValueRef bits_set(LLVMBuilderRef b, LLVMValueRef x)
{
    LLVMValueRef even, odd;
    for (unsigned n = 1; n < LLVMGetIntTypeWidth(LLVMTypeOf(x)); n *= 2) {
        split_fields(b, x, n, &even, &odd);
        x = LLVMBuildAdd(b, even, odd, "");
    }
    return x;
}

static LLVMValueRef reversed_bits(LLVMBuilderRef b, LLVMValueRef x)
{
    LLVMValueRef even, odd;
    for (unsigned n = 1; n < LLVMGetIntTypeWidth(LLVMTypeOf(x)); n *= 2) {
        split_fields(b, x, n, &even, &odd);
        x = LLVMBuildOr(b, shifted(b, LLVMShl, even, n), odd, "");
    }
    return x;
}

static LLVMValueRef zeros_below(LLVMBuilderRef b, LLVMValueRef x)
{
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(x), 1, 0);
    return bits_set(b, LLVMBuildAnd(b, LLVMBuildNot(b, x, ""), LLVMBuildSub(b, x, one, ""), ""));
}

static LLVMValueRef zeros_above(LLVMBuilderRef b, LLVMValueRef x)
{
    for (unsigned n = 1; n < LLVMGetIntTypeWidth(LLVMTypeOf(x)); n *= 2)
        x = LLVMBuildOr(b, x, shifted(b, LLVMLShr, x, n), "");
    return bits_set(b, LLVMBuildNot(b, x, ""));
}

/* x and y are one word of twice the width: its upper half after it was moved to the left, or its lower one
 * after it was moved to the right. */
static LLVMValueRef funnel(LLVMBuilderRef b, bool left, LLVMValueRef x, LLVMValueRef y, LLVMValueRef by)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef most = LLVMConstInt(type, LLVMGetIntTypeWidth(type) - 1, 0);
    LLVMValueRef n = LLVMBuildAnd(b, by, most, ""), rest = LLVMBuildSub(b, most, n, "");
    x = left ? LLVMBuildShl(b, x, n, "") : LLVMBuildShl(b, shifted(b, LLVMShl, x, 1), rest, "");
    y = left ? LLVMBuildLShr(b, shifted(b, LLVMLShr, y, 1), rest, "") : LLVMBuildLShr(b, y, n, "");
    return LLVMBuildOr(b, x, y, "");
}

static LLVMValueRef about_bits(LLVMBuilderRef b, LLVMValueRef call, const char *name)
{
    LLVMValueRef x = LLVMGetOperand(call, 0);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(x));
    if (width < 8 || (width & (width - 1)))
        return NULL;
    if (is_intrinsic(name, "ctpop"))
        return bits_set(b, x);
    if (is_intrinsic(name, "bitreverse"))
        return reversed_bits(b, x);
    if (is_intrinsic(name, "cttz"))
        return zeros_below(b, x);
    if (is_intrinsic(name, "ctlz"))
        return zeros_above(b, x);
    bool left = is_intrinsic(name, "fshl");
    if (left || is_intrinsic(name, "fshr"))
        return funnel(b, left, x, LLVMGetOperand(call, 1), LLVMGetOperand(call, 2));
    return NULL;
}

/* The condition that x op y, which is r, does not fit; NULL: not known how to say it. */
static LLVMValueRef overflow(LLVMBuilderRef b, const char *op, LLVMValueRef x, LLVMValueRef y, LLVMValueRef r)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef zero = LLVMConstInt(type, 0, 0);
    if (!strcmp(op, "uadd"))
        return LLVMBuildICmp(b, LLVMIntULT, r, x, "");
    if (!strcmp(op, "usub"))
        return LLVMBuildICmp(b, LLVMIntULT, x, y, "");
    LLVMValueRef a = LLVMBuildXor(b, x, !strcmp(op, "sadd") ? r : y, "");
    LLVMValueRef c = LLVMBuildXor(b, !strcmp(op, "sadd") ? y : x, r, "");
    return LLVMBuildICmp(b, LLVMIntSLT, LLVMBuildAnd(b, a, c, ""), zero, "");
}

/* In twice the width, where it fits. */
static LLVMValueRef wide_product(LLVMBuilderRef b, bool is_signed, LLVMValueRef x, LLVMValueRef y,
                                 LLVMValueRef *fits_not)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMTypeRef wide = LLVMIntTypeInContext(LLVMGetTypeContext(type), 2 * LLVMGetIntTypeWidth(type));
    LLVMOpcode extend = is_signed ? LLVMSExt : LLVMZExt;
    x = LLVMBuildCast(b, extend, x, wide, "");
    y = LLVMBuildCast(b, extend, y, wide, "");
    LLVMValueRef p = LLVMBuildMul(b, x, y, "");
    LLVMValueRef r = LLVMBuildTrunc(b, p, type, "");
    *fits_not = LLVMBuildICmp(b, LLVMIntNE, LLVMBuildCast(b, extend, r, wide, ""), p, "");
    return r;
}

static LLVMValueRef with_overflow(LLVMBuilderRef b, LLVMValueRef call, const char *name)
{
    LLVMValueRef x = LLVMGetOperand(call, 0), y = LLVMGetOperand(call, 1), r, too_large;
    char op[5];
    snprintf(op, sizeof op, "%s", name + 5);
    if (!strcmp(op + 1, "mul")) {
        if (LLVMGetIntTypeWidth(LLVMTypeOf(x)) > 32)
            return NULL;
        r = wide_product(b, op[0] == 's', x, y, &too_large);
    } else {
        r = !strcmp(op + 1, "add") ? LLVMBuildAdd(b, x, y, "") : LLVMBuildSub(b, x, y, "");
        too_large = overflow(b, op, x, y, r);
    }
    LLVMValueRef both = LLVMBuildInsertValue(b, LLVMGetUndef(LLVMTypeOf(call)), r, 0, "");
    return LLVMBuildInsertValue(b, both, too_large, 1, "");
}

static LLVMValueRef meaning(LLVMBuilderRef b, LLVMValueRef call, const char *name)
{
    static const struct {
        const char *name;
        LLVMIntPredicate how;
    } choices[] = {{"smax", LLVMIntSGT}, {"smin", LLVMIntSLT}, {"umax", LLVMIntUGT}, {"umin", LLVMIntULT}};
    LLVMValueRef x = LLVMGetOperand(call, 0);
    if (is_intrinsic(name, "expect") || is_intrinsic(name, "expect.with.probability"))
        return x;
    if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(x)) > 64)
        return NULL;
    stand_before(b, call);
    if (is_intrinsic(name, "abs"))
        return chosen(b, LLVMIntSGT, x, LLVMBuildNeg(b, x, ""));
    if (is_intrinsic(name, "bswap"))
        return swapped_bytes(b, x);
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (is_intrinsic(name, choices[i].name))
            return chosen(b, choices[i].how, x, LLVMGetOperand(call, 1));
    LLVMValueRef bits = about_bits(b, call, name);
    if (bits)
        return bits;
    return strlen(name) > 9 && is_intrinsic(name, (char[]){name[5], name[6], name[7], name[8], 0}) &&
                   strstr(name, ".with.overflow.")
               ? with_overflow(b, call, name)
               : NULL;
}

void rewrite_intrinsics(LLVMModuleRef m)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        size_t n;
        const char *name = LLVMGetValueName2(f, &n);
        if (strncmp(name, "llvm.", 5))
            continue;
        for (LLVMUseRef u = LLVMGetFirstUse(f), next; u; u = next) {
            LLVMValueRef call = LLVMGetUser(u);
            next = LLVMGetNextUse(u);
            LLVMValueRef value = LLVMIsACallInst(call) && LLVMGetNumArgOperands(call)
                                     ? meaning(b, call, name) : NULL;
            if (value)
                put_instead(call, value);
        }
    }
    LLVMDisposeBuilder(b);
}
