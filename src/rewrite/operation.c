/* Operations without memory. What is not known makes its operands concrete, which is always right. */
#include "rewrite/rewrite.h"

#include "rewrite/hooks.h"

#include <stdlib.h>

_Static_assert((int)SYM_ADD == LLVMAdd && (int)SYM_SUB == LLVMSub && (int)SYM_MUL == LLVMMul &&
               (int)SYM_UDIV == LLVMUDiv && (int)SYM_SDIV == LLVMSDiv && (int)SYM_UREM == LLVMURem &&
               (int)SYM_SREM == LLVMSRem && (int)SYM_SHL == LLVMShl && (int)SYM_LSHR == LLVMLShr &&
               (int)SYM_ASHR == LLVMAShr && (int)SYM_AND == LLVMAnd && (int)SYM_OR == LLVMOr &&
               (int)SYM_XOR == LLVMXor, "operations as LLVM numbers them");
_Static_assert((int)SYM_TRUNC == LLVMTrunc && (int)SYM_ZEXT == LLVMZExt && (int)SYM_SEXT == LLVMSExt &&
               (int)SYM_EQ == LLVMIntEQ && (int)SYM_NE == LLVMIntNE && (int)SYM_UGT == LLVMIntUGT &&
               (int)SYM_UGE == LLVMIntUGE && (int)SYM_ULT == LLVMIntULT && (int)SYM_ULE == LLVMIntULE &&
               (int)SYM_SGT == LLVMIntSGT && (int)SYM_SGE == LLVMIntSGE && (int)SYM_SLT == LLVMIntSLT &&
               (int)SYM_SLE == LLVMIntSLE, "casts and comparisons as LLVM numbers them");
_Static_assert((int)SYM_SET == LLVMAtomicRMWBinOpXchg && (int)SYM_PLUS == LLVMAtomicRMWBinOpAdd &&
               (int)SYM_MINUS == LLVMAtomicRMWBinOpSub && (int)SYM_BOTH == LLVMAtomicRMWBinOpAnd &&
               (int)SYM_NOT_BOTH == LLVMAtomicRMWBinOpNand && (int)SYM_EITHER == LLVMAtomicRMWBinOpOr &&
               (int)SYM_DIFFER == LLVMAtomicRMWBinOpXor, "atomic updates as LLVM numbers them");

static LLVMValueRef how(struct rewrite *r, unsigned code, unsigned width)
{
    return number(r, code | width << 8);
}

/* Does it only count or index? Then what LLVM makes of that it does not wrap round is worth having: the
 * runtime says when it does. */
static bool only_counts(LLVMValueRef i)
{
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAPHINode(user) || LLVMIsAGetElementPtrInst(user))
            continue;
        if (!LLVMIsASExtInst(user))
            return false;
        for (LLVMUseRef v = LLVMGetFirstUse(user); v; v = LLVMGetNextUse(v))
            if (!LLVMIsAGetElementPtrInst(LLVMGetUser(v)))
                return false;
    }
    return true;
}

/* May it wrap round, and may the compiler go by that? */
static unsigned wrapping(const struct rewrite *r, LLVMValueRef i)
{
    if (!may_not_wrap(i))
        return 0;
    if (!r->combines || !only_counts(i))
        return SYM_NO_WRAP;
    LLVMSetNSW(i, 1);
    return SYM_NO_WRAP | SYM_RELIED_ON;
}

static void rewrite_pair(struct rewrite *r, LLVMValueRef i, const char *name, unsigned code)
{
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    LLVMValueRef sa = shadow_of(r, a), sb = shadow_of(r, b);
    if ((is_plain(sa) && is_plain(sb)) || !go_after(r, i)) {
        if (may_not_wrap(i))
            LLVMSetNSW(i, 1);
        return;
    }
    LLVMValueRef args[] = {how(r, code | wrapping(r, i), width_of(r, LLVMTypeOf(a))), sa,
                           widened(r, a), sb, widened(r, b)};
    give(r, i, check(r, name, true, args, 5));
}

/* An address: the indices that depend on inputs times the sizes of what they count. */
static void rewrite_indexing(struct rewrite *r, LLVMValueRef i)
{
    LLVMValueRef base = LLVMGetOperand(i, 0), s = shadow_of(r, base);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    bool any = !is_plain(s);
    for (int k = 1; k < LLVMGetNumOperands(i); k++)
        any |= !is_plain(shadow_of(r, LLVMGetOperand(i, (unsigned)k)));
    if (!any || !is_tracked(r, LLVMTypeOf(i))) {
        force_operands(r, i);
        return;
    }
    go_after(r, i);
    LLVMValueRef at = widened(r, i);
    if (!is_plain(s))
        s = check(r, "sym_moved_by", true,
                  (LLVMValueRef[]){s, LLVMBuildSub(r->builder, at, widened(r, base), "")}, 2);
    for (int k = 1; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef index = LLVMGetOperand(i, (unsigned)k), si = shadow_of(r, index);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        type = k > 1 ? LLVMGetElementType(type) : type;
        if (is_plain(si))
            continue;
        LLVMValueRef stride = LLVMConstInt(r->i64, LLVMABISizeOfType(r->layout, type), 0);
        LLVMValueRef args[] = {s, at, si, LLVMBuildSExt(r->builder, index, r->i64, ""),
                               number(r, width_of(r, LLVMTypeOf(index))), stride};
        s = check(r, "sym_offset", true, args, 6);
    }
    give(r, i, s);
}

void rewrite_division(struct rewrite *r, LLVMValueRef call, const char *what)
{
    char *width;
    unsigned op = (unsigned)strtoul(what, &width, 10), bits = (unsigned)strtoul(width + 1, NULL, 10);
    LLVMValueRef a = LLVMGetOperand(call, 0), divisor = LLVMGetOperand(call, 1);
    go_before(r, call);
    LLVMValueRef args[] = {how(r, op, bits), shadow_of(r, divisor), widened(r, divisor), shadow_of(r, a),
                           widened(r, a)};
    check(r, "sym_divisor", false, args, 5);
    LLVMInstructionEraseFromParent(call);
}

void rewrite_overflow(struct rewrite *r, LLVMValueRef call, const char *what)
{
    char *width;
    unsigned op = (unsigned)strtoul(what, &width, 10), bits = (unsigned)strtoul(width + 1, NULL, 10);
    LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
    LLVMValueRef sa = shadow_of(r, a), sb = shadow_of(r, b);
    go_before(r, call);
    if (!is_plain(sa) || !is_plain(sb))
        check(r, "sym_overflow", false,
              (LLVMValueRef[]){how(r, op | SYM_NO_WRAP, bits), sa, widened(r, a), sb, widened(r, b)}, 5);
    LLVMInstructionEraseFromParent(call);
}

static void rewrite_cast(struct rewrite *r, LLVMValueRef i)
{
    LLVMValueRef a = LLVMGetOperand(i, 0), s = shadow_of(r, a);
    if (is_plain(s))
        return;
    unsigned from = width_of(r, LLVMTypeOf(a)), to = width_of(r, LLVMTypeOf(i));
    if (from == to) {
        give(r, i, s);
        return;
    }
    unsigned code = LLVMGetInstructionOpcode(i) == LLVMSExt ? LLVMSExt
                    : from < to                             ? LLVMZExt
                                                            : LLVMTrunc;
    go_after(r, i);
    give(r, i, check(r, "sym_cast", true, (LLVMValueRef[]){how(r, code, from), number(r, to), s}, 3));
}

static void rewrite_select(struct rewrite *r, LLVMValueRef i)
{
    LLVMValueRef c = LLVMGetOperand(i, 0), a = LLVMGetOperand(i, 1), b = LLVMGetOperand(i, 2);
    LLVMValueRef sc = shadow_of(r, c), sa = shadow_of(r, a), sb = shadow_of(r, b);
    if (is_plain(sc) && is_plain(sa) && is_plain(sb))
        return;
    if (!is_tracked(r, LLVMTypeOf(i)) || !is_tracked(r, LLVMTypeOf(c))) {
        force_operands(r, i);
        return;
    }
    go_after(r, i);
    LLVMValueRef args[] = {number(r, width_of(r, LLVMTypeOf(i))), sc, widened(r, c), sa,
                           widened(r, a), sb, widened(r, b)};
    give(r, i, check(r, "sym_select", true, args, 7));
}

static void rewrite_branch(struct rewrite *r, LLVMValueRef i)
{
    if (!LLVMIsConditional(i))
        return;
    LLVMValueRef c = LLVMGetCondition(i), s = shadow_of(r, c);
    if (is_plain(s))
        return;
    go_before(r, i);
    check(r, "sym_branch", false, (LLVMValueRef[]){s, widened(r, c)}, 2);
}

static void rewrite_switch(struct rewrite *r, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0), s = shadow_of(r, value);
    unsigned n = LLVMGetNumSuccessors(i) - 1;
    if (is_plain(s))
        return;
    LLVMValueRef *cases = malloc((n + 1) * sizeof *cases);
    for (unsigned k = 0; k < n; k++) /* operands: value, default, then value and block of each */
        cases[k] = LLVMConstInt(r->i64, LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2 + 2 * k)), 0);
    LLVMValueRef table = LLVMAddGlobal(r->module, LLVMArrayType2(r->i64, n), "");
    LLVMSetInitializer(table, LLVMConstArray2(r->i64, cases, n));
    LLVMSetGlobalConstant(table, 1);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    free(cases);
    go_before(r, i);
    check(r, "sym_switch", false, (LLVMValueRef[]){s, widened(r, value), number(r, n), table}, 4);
}

void rewrite_operation(struct rewrite *r, LLVMValueRef i)
{
    LLVMOpcode code = LLVMGetInstructionOpcode(i);
    bool tracked = is_tracked(r, LLVMTypeOf(i));
    switch (code) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        if (tracked) {
            rewrite_pair(r, i, "sym_binary", code);
            return;
        }
        break;
    case LLVMICmp:
        if (tracked && is_tracked(r, LLVMTypeOf(LLVMGetOperand(i, 0)))) {
            rewrite_pair(r, i, "sym_compare", LLVMGetICmpPredicate(i));
            return;
        }
        break;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMFreeze:
        if (tracked && is_tracked(r, LLVMTypeOf(LLVMGetOperand(i, 0)))) {
            rewrite_cast(r, i);
            return;
        }
        break;
    case LLVMSelect:
        rewrite_select(r, i);
        return;
    case LLVMGetElementPtr:
        rewrite_indexing(r, i);
        return;
    case LLVMBr:
        rewrite_branch(r, i);
        return;
    case LLVMSwitch:
        if (is_tracked(r, LLVMTypeOf(LLVMGetOperand(i, 0)))) {
            rewrite_switch(r, i);
            return;
        }
        break;
    default:
        break;
    }
    if (code != LLVMLandingPad)
        force_operands(r, i);
}
