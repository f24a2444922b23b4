/* One function: the parameters' shadows at its entry, then its instructions in an order in which operands
 * come before their uses (blocks in reverse post-order), then the joins, whose operands are all known by
 * then. Instructions put in are not visited themselves. */
#include "rewrite/rewrite.h"

#include "rewrite/hooks.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

bool is_tracked(const struct rewrite *r, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind)
        return LLVMGetPointerAddressSpace(type) == 0;
    return kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
}

unsigned width_of(const struct rewrite *r, LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? 64 : LLVMGetIntTypeWidth(type);
}

LLVMValueRef number(struct rewrite *r, uint64_t n)
{
    return LLVMConstInt(r->i32, n, 0);
}

LLVMValueRef shadow_of(struct rewrite *r, LLVMValueRef value)
{
    LLVMValueRef s = shadows_get(&r->shadows, value);
    return s ? s : number(r, 0);
}

bool is_plain(LLVMValueRef shadow)
{
    return LLVMIsAConstantInt(shadow) && LLVMConstIntGetZExtValue(shadow) == 0;
}

LLVMValueRef widened(struct rewrite *r, LLVMValueRef value)
{
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(r->builder, value, r->i64, "");
    return LLVMBuildZExt(r->builder, value, r->i64, "");
}

void give(struct rewrite *r, LLVMValueRef value, LLVMValueRef shadow)
{
    if (!is_plain(shadow))
        shadows_set(&r->shadows, value, shadow);
}

LLVMValueRef check(struct rewrite *r, const char *name, bool gives, LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef types[16], type;
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    type = LLVMFunctionType(gives ? r->i32 : r->none, types, n, 0);
    LLVMValueRef function = LLVMGetNamedFunction(r->module, name);
    if (!function)
        function = LLVMAddFunction(r->module, name, type);
    return LLVMBuildCall2(r->builder, type, function, args, n, "");
}

/* A call that may be inlined must say where it stands in the source. */
static void keep_location(struct rewrite *r, LLVMValueRef instruction)
{
    LLVMMetadataRef scope = LLVMGetSubprogram(r->function);
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    if (!at && scope)
        at = LLVMDIBuilderCreateDebugLocation(r->context, 0, 0, scope, NULL);
    LLVMSetCurrentDebugLocation2(r->builder, at);
}

bool go_before(struct rewrite *r, LLVMValueRef instruction)
{
    LLVMPositionBuilderBeforeInstrAndDbgRecords(r->builder, instruction);
    keep_location(r, instruction);
    return true;
}

static LLVMValueRef first_after_joins(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static bool has_one_predecessor(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef from = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsATerminatorInst(user))
            continue;
        if (from)
            return false;
        from = LLVMGetInstructionParent(user);
    }
    return from != NULL;
}

bool go_after(struct rewrite *r, LLVMValueRef instruction)
{
    LLVMValueRef next;
    if (LLVMIsAInvokeInst(instruction)) {
        LLVMBasicBlockRef normal = LLVMGetNormalDest(instruction);
        next = has_one_predecessor(normal) ? first_after_joins(normal) : NULL;
    } else {
        next = LLVMGetNextInstruction(instruction);
    }
    if (!next)
        return false;
    LLVMPositionBuilderBeforeInstrAndDbgRecords(r->builder, next);
    keep_location(r, instruction);
    return true;
}

void force(struct rewrite *r, LLVMValueRef value)
{
    LLVMValueRef s = shadow_of(r, value);
    if (!is_plain(s))
        check(r, "sym_force", false, (LLVMValueRef[]){s, widened(r, value)}, 2);
}

void force_operands(struct rewrite *r, LLVMValueRef instruction)
{
    go_before(r, instruction);
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
        force(r, LLVMGetOperand(instruction, (unsigned)i));
}

/* ---- order ----------------------------------------------------------------------------------------- */

struct order {
    struct shadows seen;
    LLVMBasicBlockRef *blocks; /* in post-order */
    size_t count;
};

static void visit(struct order *o, LLVMBasicBlockRef first)
{
    struct frame {
        LLVMBasicBlockRef block;
        unsigned next;
    } *stack = malloc(sizeof *stack * (o->seen.room + 1));
    size_t depth = 0;
    stack[depth++] = (struct frame){first, 0};
    shadows_set(&o->seen, first, first);
    while (depth) {
        struct frame *f = &stack[depth - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(f->block);
        if (!end || f->next == LLVMGetNumSuccessors(end)) {
            o->blocks[o->count++] = f->block;
            depth--;
            continue;
        }
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, f->next++);
        if (shadows_get(&o->seen, to) == to)
            continue;
        shadows_set(&o->seen, to, to);
        stack[depth++] = (struct frame){to, 0};
    }
    free(stack);
}

/* Every block is known by then, so the table does not grow while it is walked. */
static void note_blocks(struct order *o, LLVMValueRef function)
{
    unsigned n = LLVMCountBasicBlocks(function);
    o->blocks = malloc(sizeof *o->blocks * (n + 1));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        shadows_set(&o->seen, b, o);
}

/* ---- the whole -------------------------------------------------------------------------------------- */

static void take_parameters(struct rewrite *r)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(r->function)), entered = NULL;
    while (first && LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    if (!first)
        return;
    go_before(r, first);
    unsigned n = LLVMCountParams(r->function);
    for (unsigned i = 0; i < n && i < SYM_ARGS; i++) {
        LLVMValueRef p = LLVMGetParam(r->function, i);
        if (!is_tracked(r, LLVMTypeOf(p)) || !LLVMGetFirstUse(p))
            continue;
        if (!entered)
            entered = check(r, "sym_enter", true, (LLVMValueRef[]){widened(r, r->function)}, 1);
        give(r, p, check(r, "sym_param", true, (LLVMValueRef[]){entered, number(r, i)}, 2));
    }
}

static void rewrite_instruction(struct rewrite *r, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
        if (is_tracked(r, LLVMTypeOf(i))) {
            go_before(r, i);
            shadows_set(&r->shadows, i, LLVMBuildPhi(r->builder, r->i32, ""));
        }
        break;
    case LLVMLoad:
        rewrite_load(r, i);
        break;
    case LLVMStore:
        rewrite_store(r, i);
        break;
    case LLVMCall:
    case LLVMInvoke:
        rewrite_call(r, i);
        break;
    case LLVMRet:
        rewrite_return(r, i);
        break;
    default:
        rewrite_operation(r, i);
    }
}

static void fill_join(struct rewrite *r, LLVMValueRef phi)
{
    LLVMValueRef shadow = shadows_get(&r->shadows, phi);
    if (!shadow)
        return;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef from = shadow_of(r, LLVMGetIncomingValue(phi, k));
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, k);
        LLVMAddIncoming(shadow, &from, &block, 1);
    }
}

void rewrite_function(struct rewrite *r, LLVMValueRef function)
{
    struct order o = {0};
    r->function = function;
    note_blocks(&o, function);
    visit(&o, LLVMGetEntryBasicBlock(function));
    size_t count = 0, room = 0;
    LLVMValueRef *all = NULL;
    for (size_t b = o.count; b-- > 0;)
        for (LLVMValueRef i = LLVMGetFirstInstruction(o.blocks[b]); i; i = LLVMGetNextInstruction(i)) {
            if (count == room) {
                room = room ? 2 * room : 256;
                all = realloc(all, room * sizeof *all);
            }
            all[count++] = i;
        }
    take_parameters(r);
    for (size_t i = 0; i < count; i++)
        rewrite_instruction(r, all[i]);
    for (size_t i = 0; i < count; i++)
        if (LLVMIsAPHINode(all[i]))
            fill_join(r, all[i]);
    free(all);
    free(o.blocks);
    shadows_free(&o.seen);
    shadows_free(&r->shadows);
}
