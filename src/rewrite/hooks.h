/* What a program built with raddle cc --symbolic calls: the seam between the rewriter, which puts the
 * calls into the program, and the runtime, which defines them (rt/sym/). The rewriter itself calls the
 * functions of inline.c, which are inlined and come here only when a value depends on an input.
 *
 * A shadow is the number of a value's expression; 0 = it depends on no input. Values are widened to 64
 * bits with zeros. `how` is an operation of LLVM in the lowest byte and a width in bits above it. */
#ifndef REWRITE_HOOKS_H
#define REWRITE_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#define SYM_FILTER 65536u /* entries: may the word of 8 bytes have a shadow? */
#define SYM_ARGS 8

/* As LLVM numbers them; the rewriter asserts that. */
enum sym_op {
    SYM_ADD = 8, SYM_SUB = 10, SYM_MUL = 12, SYM_UDIV = 14, SYM_SDIV = 15, SYM_UREM = 17, SYM_SREM = 18,
    SYM_SHL = 20, SYM_LSHR = 21, SYM_ASHR = 22, SYM_AND = 23, SYM_OR = 24, SYM_XOR = 25,
    SYM_TRUNC = 30, SYM_ZEXT = 31, SYM_SEXT = 32,
};
enum sym_compare {
    SYM_EQ = 32, SYM_NE, SYM_UGT, SYM_UGE, SYM_ULT, SYM_ULE, SYM_SGT, SYM_SGE, SYM_SLT, SYM_SLE,
};
enum sym_update { SYM_SET, SYM_PLUS, SYM_MINUS, SYM_BOTH, SYM_NOT_BOTH, SYM_EITHER, SYM_DIFFER };

extern unsigned char raddle_sym_filter[SYM_FILTER];
extern uint32_t raddle_sym_cells; /* how many words of memory have shadows */
/* Shadows of arguments: valid for the function in raddle_sym_callee, which takes them at its entry. */
extern uintptr_t raddle_sym_callee;
extern uint32_t raddle_sym_args[SYM_ARGS];
/* Shadow of the result of the function in raddle_sym_returned, until whoever called it takes it. */
extern uintptr_t raddle_sym_returned;
extern uint32_t raddle_sym_result;

void raddle_sym_module(void); /* the constructor of an object, in the place of __tsan_init */
/* An address that depends on an input is about to be used; `root` (with shadow sr) is what indices were
 * added to, `object` bytes there, or 0, are known to be the object. 1: raddle_sym_table gives what is
 * read, 0: the address is concrete now. */
enum sym_access { SYM_READ = 1, SYM_WRITE = 2, SYM_PRIVATE = 4 /* no other thread can write there */ };
uint32_t raddle_sym_address(uint32_t s, uintptr_t at, uint32_t sr, uintptr_t root, uint64_t object,
                            uint64_t size, uint32_t how);
uint32_t raddle_sym_table(uint32_t s, uintptr_t at, uintptr_t root, uint64_t object, uint32_t size,
                          uint64_t value);
/* An address: an index was added, or something concrete. */
uint32_t raddle_sym_offset(uint32_t s, uint64_t at, uint32_t si, uint64_t index, uint32_t width,
                           uint64_t stride);
uint32_t raddle_sym_moved_by(uint32_t s, uint64_t by);
#define SYM_NO_WRAP 0x10000u   /* in `how`: signed overflow is undefined */
#define SYM_RELIED_ON 0x20000u /* …and the compiler may go by that */
uint32_t raddle_sym_binary(uint32_t how, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b);
/* Before it, where its result may not be needed: for --check overflow. */
void raddle_sym_overflow(uint32_t how, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b);
uint32_t raddle_sym_compare(uint32_t how, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b);
uint32_t raddle_sym_cast(uint32_t how, uint32_t to, uint32_t sa);
uint32_t raddle_sym_select(uint32_t width, uint32_t sc, uint64_t c, uint32_t sa, uint64_t a, uint32_t sb,
                           uint64_t b);
uint32_t raddle_sym_load(uintptr_t at, uint32_t size, uint64_t value);
void raddle_sym_store(uintptr_t at, uint32_t size, uint32_t s, uint64_t value);
void raddle_sym_clear(uintptr_t at, uint64_t size);
/* The value goes where expressions cannot follow: it becomes one of its possible values. */
void raddle_sym_force(uint32_t s, uint64_t value);
void raddle_sym_force_memory(uintptr_t at, uint64_t size);
/* Before a division; does it fail? */
uint32_t raddle_sym_divisor(uint32_t how, uint32_t s, uint64_t value, uint32_t sa, uint64_t a);
void raddle_sym_branch(uint32_t s, uint64_t taken);
void raddle_sym_switch(uint32_t s, uint64_t value, uint32_t count, const uint64_t *cases);
void raddle_sym_call(uintptr_t callee, uint32_t s0, uint32_t s1, uint32_t s2, uint32_t s3, uint32_t s4,
                     uint32_t s5, uint32_t s6, uint32_t s7);
/* A function that may not be rewritten is given a pointer. */
void raddle_sym_pointer(uintptr_t callee, uintptr_t at);
void raddle_sym_escape(uintptr_t callee, uint32_t s, uint64_t value);
void raddle_sym_return(uintptr_t self, uint32_t s);
/* If the result is another function's, its caller was not rewritten: it becomes concrete. */
uint32_t raddle_sym_take_result(uintptr_t callee);
/* n times `size` bytes, or a string (size 0), go to a stream or descriptor. Unless it is where output goes,
 * they can be read again: they become concrete. The same for a character: being called is all it does. */
void raddle_sym_output(uint64_t to, uint32_t is_stream, uintptr_t at, uint32_t s, uint64_t size, uint32_t sn,
                       uint64_t n);
void raddle_sym_put(int c);
void raddle_sym_status(uint32_t s, uint64_t status); /* of the process, which is about to end */
/* An atomic operation (order of LLVMAtomicRMWBinOp) was performed and gave `old`. */
uint32_t raddle_sym_update(uint32_t op, uintptr_t at, uint32_t size, uint32_t s, uint64_t value,
                           uint64_t old);
/* A compare-exchange: the shadow of what it expects is left in raddle_sym_expected before it, since whether
 * it succeeds is a branch that is taken within it. */
uint32_t raddle_sym_exchange(uintptr_t at, uint32_t size, uint64_t expected, uint32_t sd, uint64_t desired,
                             uint64_t old);
extern uint32_t raddle_sym_expected;
void raddle_sym_copy(uintptr_t to, uintptr_t from, uint64_t size);
void raddle_sym_fill(uintptr_t to, uint64_t size, uint32_t s, uint64_t value);
int raddle_sym_stream(int fd); /* does it read a file that is an input? */
void raddle_sym_moved(int fd); /* where it stands has changed */
void raddle_sym_closed(int fd);
void raddle_sym_lost(void);    /* a function of libc.c met what it cannot follow */
void raddle_sym_thread(uint32_t s); /* argument of the thread that is created next, result of this one */

#endif
