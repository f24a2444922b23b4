/* Memory: the shadow of a load comes from the shadow of memory, a store puts it there. An address that
 * depends on an input becomes concrete first. The shadow operation of an atomic comes after the call that
 * performs it; no other thread runs in between, for threads are switched before operations. */
#include "rewrite/rewrite.h"

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

void rewrite_load(struct rewrite *r, LLVMValueRef load)
{
    LLVMValueRef at = LLVMGetOperand(load, 0);
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef size = number(r, bytes_of(r, type));
    go_before(r, load);
    force(r, at);
    if (!fits_memory(r, type)) {
        LLVMValueRef wide = LLVMConstInt(r->i64, bytes_of(r, type), 0);
        check(r, "sym_force_memory", false, (LLVMValueRef[]){widened(r, at), wide}, 2);
        return;
    }
    go_after(r, load);
    LLVMValueRef s = check(r, "sym_load", true,
                           (LLVMValueRef[]){widened(r, at), size, widened(r, load)}, 3);
    if (width_of(r, type) == 1)
        s = check(r, "sym_cast", true,
                  (LLVMValueRef[]){number(r, LLVMTrunc | 8 << 8), number(r, 1), s}, 3);
    give(r, load, s);
}

void rewrite_store(struct rewrite *r, LLVMValueRef store)
{
    LLVMValueRef value = LLVMGetOperand(store, 0), at = LLVMGetOperand(store, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    go_before(r, store);
    force(r, at);
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
    force(r, at);
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
    go_before(r, call);
    force(r, to);
    force(r, size);
    if (copy)
        force(r, with);
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
