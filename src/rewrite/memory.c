/* Memory: the shadow of a load comes from the shadow of memory, a store puts it there. An address that
 * depends on an input becomes concrete first. The shadow operation of an atomic comes after the call that
 * performs it; no other thread runs in between, for threads are switched before operations. */
#include "rewrite/rewrite.h"

#include "rewrite/hooks.h"

#include <stdlib.h>
#include <string.h>

static uint64_t bytes_of(const struct rewrite *r, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(r->layout, type);
}

/* Whole bytes, or one bit in a byte of its own. */
static bool fits_memory(const struct rewrite *r, LLVMTypeRef type)
{
    return is_tracked(r, type) && (width_of(r, type) % 8 == 0 || width_of(r, type) == 1);
}

/* ---- addresses that depend on inputs ----------------------------------------------------------- */

struct address {
    LLVMValueRef s, at, root, object; /* widened; object: its size, or 0 */
};

/* What the indices were added to. */
static LLVMValueRef root_of(LLVMValueRef at)
{
    while (LLVMIsAGetElementPtrInst(at) ||
           (LLVMIsAConstantExpr(at) && LLVMGetConstOpcode(at) == LLVMGetElementPtr))
        at = LLVMGetOperand(at, 0);
    return at;
}

static uint64_t object_size(const struct rewrite *r, LLVMValueRef root)
{
    LLVMTypeRef type = LLVMIsAGlobalVariable(root) ? LLVMGlobalGetValueType(root)
                       : LLVMIsAAllocaInst(root)   ? LLVMGetAllocatedType(root)
                                                   : NULL;
    if (!type || !LLVMTypeIsSized(type))
        return 0;
    uint64_t size = LLVMABISizeOfType(r->layout, type);
    if (!LLVMIsAAllocaInst(root))
        return size;
    LLVMValueRef count = LLVMGetOperand(root, 0);
    return LLVMIsAConstantInt(count) ? size * LLVMConstIntGetZExtValue(count) : 0;
}

/* The compiler's call that tells of the access before it is made; NULL: no other thread can make one. */
static LLVMValueRef hook_of(LLVMValueRef access, LLVMValueRef at)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(access);
    size_t n;
    if (!before || !LLVMIsACallInst(before) || !LLVMGetNumArgOperands(before))
        return NULL;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(before), &n);
    return !strncmp(name, "__tsan_", 7) && LLVMGetOperand(before, 0) == at ? before : NULL;
}

static bool is_instrumented(const struct rewrite *r)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("sanitize_thread", 15);
    return LLVMGetEnumAttributeAtIndex(r->function, LLVMAttributeFunctionIndex, kind) != NULL;
}

/* Before the access: is it inside of its object, and where? The result of the check, or NULL if the
 * address depends on nothing. */
static LLVMValueRef use_bytes(struct rewrite *r, LLVMValueRef at, LLVMValueRef size, unsigned how,
                              struct address *a)
{
    LLVMValueRef root = root_of(at);
    a->s = shadow_of(r, at);
    if (is_plain(a->s))
        return NULL;
    a->at = widened(r, at);
    a->root = widened(r, root);
    a->object = LLVMConstInt(r->i64, object_size(r, root), 0);
    return check(r, "sym_address", true,
                 (LLVMValueRef[]){a->s, a->at, shadow_of(r, root), a->root, a->object, size,
                                  number(r, how)}, 7);
}

static LLVMValueRef use_address(struct rewrite *r, LLVMValueRef at, uint64_t size, unsigned how,
                                struct address *a)
{
    return use_bytes(r, at, LLVMConstInt(r->i64, size, 0), how, a);
}

/* The same where nothing but a concrete address will do. */
static void settle_address(struct rewrite *r, LLVMValueRef at, uint64_t size)
{
    struct address a;
    use_address(r, at, size, SYM_WRITE, &a);
}

void rewrite_load(struct rewrite *r, LLVMValueRef load)
{
    LLVMValueRef at = LLVMGetOperand(load, 0), hook = hook_of(load, at);
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef size = number(r, bytes_of(r, type));
    struct address a;
    unsigned how = SYM_READ | (!hook && is_instrumented(r) ? SYM_PRIVATE : 0);
    go_before(r, hook ? hook : load);
    LLVMValueRef table = use_address(r, at, bytes_of(r, type), fits_memory(r, type) ? how : 0, &a);
    if (!fits_memory(r, type)) {
        LLVMValueRef wide = LLVMConstInt(r->i64, bytes_of(r, type), 0);
        check(r, "sym_force_memory", false, (LLVMValueRef[]){widened(r, at), wide}, 2);
        return;
    }
    go_after(r, load);
    LLVMValueRef s = check(r, "sym_load", true,
                           (LLVMValueRef[]){widened(r, at), size, widened(r, load)}, 3);
    if (table)
        s = check(r, "sym_table", true,
                  (LLVMValueRef[]){table, s, a.s, a.at, a.root, a.object, size, widened(r, load)}, 8);
    if (width_of(r, type) == 1)
        s = check(r, "sym_cast", true,
                  (LLVMValueRef[]){number(r, LLVMTrunc | 8 << 8), number(r, 1), s}, 3);
    give(r, load, s);
}

void rewrite_store(struct rewrite *r, LLVMValueRef store)
{
    LLVMValueRef value = LLVMGetOperand(store, 0), at = LLVMGetOperand(store, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef hook = hook_of(store, at);
    go_before(r, hook ? hook : store);
    settle_address(r, at, bytes_of(r, type));
    go_before(r, store);
    if (!fits_memory(r, type)) {
        force(r, value);
        LLVMValueRef wide = LLVMConstInt(r->i64, bytes_of(r, type), 0);
        check(r, "sym_clear", false, (LLVMValueRef[]){widened(r, at), wide}, 2);
        return;
    }
    LLVMValueRef s = shadow_of(r, value);
    if (width_of(r, type) == 1 && !is_plain(s))
        s = check(r, "sym_cast", true,
                  (LLVMValueRef[]){number(r, LLVMZExt | 1 << 8), number(r, 8), s}, 3);
    go_after(r, store);
    check(r, "sym_store", false,
          (LLVMValueRef[]){widened(r, at), number(r, bytes_of(r, type)), s, widened(r, value)}, 4);
}

/* ---- what tsan made of atomics: __tsan_atomic32_fetch_add and so on --------------------------------- */

static bool is_update(const char *operation, unsigned *op)
{
    static const struct {
        const char *name;
        LLVMAtomicRMWBinOp op;
    } updates[] = {{"exchange", LLVMAtomicRMWBinOpXchg},  {"fetch_add", LLVMAtomicRMWBinOpAdd},
                   {"fetch_sub", LLVMAtomicRMWBinOpSub},  {"fetch_and", LLVMAtomicRMWBinOpAnd},
                   {"fetch_nand", LLVMAtomicRMWBinOpNand}, {"fetch_or", LLVMAtomicRMWBinOpOr},
                   {"fetch_xor", LLVMAtomicRMWBinOpXor}};
    for (size_t i = 0; i < sizeof updates / sizeof updates[0]; i++)
        if (!strcmp(operation, updates[i].name)) {
            *op = updates[i].op;
            return true;
        }
    return false;
}

static bool rewrite_atomic(struct rewrite *r, LLVMValueRef call, const char *name)
{
    char *operation;
    unsigned op;
    if (strncmp(name, "__tsan_atomic", 13))
        return false;
    unsigned long bits = strtoul(name + 13, &operation, 10);
    if (bits > 64 || *operation++ != '_')
        return false;
    LLVMValueRef at = LLVMGetOperand(call, 0), size = number(r, bits / 8);
    LLVMValueRef value = LLVMGetNumOperands(call) > 2 ? LLVMGetOperand(call, 1) : NULL;
    bool exchange = !strcmp(operation, "compare_exchange_val");
    go_before(r, call);
    settle_address(r, at, bits / 8);
    if (exchange)
        check(r, "sym_expect", false, (LLVMValueRef[]){shadow_of(r, value)}, 1);
    go_after(r, call);
    if (!strcmp(operation, "load")) {
        LLVMValueRef args[] = {widened(r, at), size, widened(r, call)};
        give(r, call, check(r, "sym_load", true, args, 3));
    } else if (!strcmp(operation, "store")) {
        LLVMValueRef args[] = {widened(r, at), size, shadow_of(r, value), widened(r, value)};
        check(r, "sym_store", false, args, 4);
    } else if (is_update(operation, &op)) {
        LLVMValueRef args[] = {number(r, op), widened(r, at), size, shadow_of(r, value),
                               widened(r, value), widened(r, call)};
        give(r, call, check(r, "sym_update", true, args, 6));
    } else if (exchange) {
        LLVMValueRef desired = LLVMGetOperand(call, 2);
        LLVMValueRef args[] = {widened(r, at), size, widened(r, value), shadow_of(r, desired),
                               widened(r, desired), widened(r, call)};
        give(r, call, check(r, "sym_exchange", true, args, 6));
    } else {
        return false;
    }
    return true;
}

/* ---- memory functions ------------------------------------------------------------------------------- */

/* "memcpy" itself, or what LLVM makes of it: "llvm.memcpy.p0.p0.i64". */
static bool is_function(const char *name, const char *wanted)
{
    size_t n = strlen(wanted);
    if (strncmp(name, "llvm.", 5))
        return !strcmp(name, wanted);
    return !strncmp(name + 5, wanted, n) && name[5 + n] == '.';
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && !is_function(name, *names))
        names++;
    return *names != NULL;
}

static bool rewrite_copying(struct rewrite *r, LLVMValueRef call, const char *name)
{
    static const char *const copies[] = {"memcpy", "memmove", "__tsan_memcpy", "__tsan_memmove", NULL};
    static const char *const fills[] = {"memset", "__tsan_memset", NULL};
    bool copy = is_one_of(name, copies);
    if (!copy && !is_one_of(name, fills))
        return false;
    LLVMValueRef to = LLVMGetOperand(call, 0), with = LLVMGetOperand(call, 1);
    LLVMValueRef size = LLVMGetOperand(call, 2);
    struct address a;
    go_before(r, call);
    force(r, size);
    use_bytes(r, to, widened(r, size), SYM_WRITE, &a);
    if (copy)
        use_bytes(r, with, widened(r, size), 0, &a);
    go_after(r, call);
    if (copy) {
        check(r, "sym_copy", false,
              (LLVMValueRef[]){widened(r, to), widened(r, with), widened(r, size)}, 3);
    } else {
        LLVMValueRef args[] = {widened(r, to), widened(r, size), shadow_of(r, with), widened(r, with)};
        check(r, "sym_fill", false, args, 4);
    }
    return true;
}

static bool rewrite_lifetime(struct rewrite *r, LLVMValueRef call, const char *name)
{
    if (strncmp(name, "llvm.lifetime.start", 19))
        return false;
    LLVMValueRef size = LLVMGetOperand(call, 0), at = LLVMGetOperand(call, 1);
    if ((int64_t)LLVMConstIntGetSExtValue(size) > 0 && go_after(r, call))
        check(r, "sym_clear", false, (LLVMValueRef[]){widened(r, at), size}, 2);
    return true;
}

bool rewrite_memory_call(struct rewrite *r, LLVMValueRef call, const char *name)
{
    return rewrite_atomic(r, call, name) || rewrite_copying(r, call, name) ||
           rewrite_lifetime(r, call, name);
}
