/* The rewriter: a program of its own (build/lib/raddle-rewrite), the only one that links LLVM. It reads the
 * bitcode of one source file as clang made it, without any optimisation, and gives every integer and
 * pointer a shadow (hooks.h) that follows it through operations, memory, calls and returns.
 *
 *   rewrite.c    reading, passes, writing        function.c   one function: order, parameters, joins
 *   operation.c  operations without memory       memory.c     loads, stores, atomics, memory functions
 *   call.c       calls and returns               shadows.c    from values to shadows
 *   names.c      which functions of libc are replaced by those of libc*.c
 *   variadic.c   arguments behind "...", intrinsics
 *   kept.c       what LLVM's passes may not take away
 *   assembly.c   assembly statements */
#ifndef REWRITE_REWRITE_H
#define REWRITE_REWRITE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From values to shadows, from blocks to marks. */
struct shadows {
    const void **keys;
    void **values;
    size_t count, room;
};

void *shadows_get(const struct shadows *s, const void *key); /* NULL if there is none */
void shadows_set(struct shadows *s, const void *key, void *value);
void shadows_free(struct shadows *s);

struct rewrite {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef i32, i64, none;
    LLVMTargetDataRef layout;
    bool combines; /* not built with -O0 */
    /* Of the function under way. */
    LLVMValueRef function;
    struct shadows shadows;
};

void rewrite_function(struct rewrite *r, LLVMValueRef function);
/* Is its code not in this module? A body that is there for inlining only does not count. */
bool is_elsewhere(LLVMValueRef function);
bool prints(const char *name); /* what it is given goes out of the program */
/* Calls of functions that libc.c has become calls of its own; are there any? */
bool rewrite_libc(LLVMModuleRef module);
bool rewrite_variadics(LLVMModuleRef module);
void rewrite_intrinsics(LLVMModuleRef module);
/* Around the compiler's own instrumentation for threads: it sees all accesses to local variables that others
 * may know of. */
void hide_locals(LLVMModuleRef module);
void show_locals(LLVMModuleRef module);

/* Before any pass: divisions, wrapping round and (all) all reads and overflows of the source are kept; see
 * kept.c. */
void keep_faults(LLVMModuleRef module, bool all);
void hold_reads(LLVMModuleRef module, bool on); /* while passes run that would take them away */
bool may_not_wrap(LLVMValueRef instruction);
bool is_private_local(LLVMValueRef address); /* of a local variable that nobody else knows of */
#define DIVIDES "raddle_sym_divides." /* then the operation and the width */
#define OVERFLOWS "raddle_sym_overflows."

/* Is it an integer of at most 64 bits or a pointer? */
bool is_tracked(const struct rewrite *r, LLVMTypeRef type);
unsigned width_of(const struct rewrite *r, LLVMTypeRef type);
LLVMValueRef shadow_of(struct rewrite *r, LLVMValueRef value);
bool is_plain(LLVMValueRef shadow); /* known to be 0 */
LLVMValueRef number(struct rewrite *r, uint64_t n);   /* as i32 */
LLVMValueRef widened(struct rewrite *r, LLVMValueRef value); /* to i64 */
/* Calls the function of inline.c; its result is NULL if it has none. */
LLVMValueRef check(struct rewrite *r, const char *name, bool gives, LLVMValueRef *args, unsigned n);
void give(struct rewrite *r, LLVMValueRef value, LLVMValueRef shadow);
/* Where the calls that follow go. False: there is no such place. */
bool go_before(struct rewrite *r, LLVMValueRef instruction);
bool go_after(struct rewrite *r, LLVMValueRef instruction);
/* Operands that may have shadows become concrete. */
void force(struct rewrite *r, LLVMValueRef value);
void force_operands(struct rewrite *r, LLVMValueRef instruction);

void rewrite_operation(struct rewrite *r, LLVMValueRef instruction);
void rewrite_load(struct rewrite *r, LLVMValueRef load);
void rewrite_store(struct rewrite *r, LLVMValueRef store);
bool rewrite_memory_call(struct rewrite *r, LLVMValueRef call, const char *name);
void rewrite_call(struct rewrite *r, LLVMValueRef call);
void rewrite_division(struct rewrite *r, LLVMValueRef call, const char *what);
void rewrite_overflow(struct rewrite *r, LLVMValueRef call, const char *what);
void rewrite_assembly(struct rewrite *r, LLVMValueRef call);
void rewrite_intrinsic(struct rewrite *r, LLVMValueRef call, const char *name);
void rewrite_return(struct rewrite *r, LLVMValueRef instruction);

#endif
