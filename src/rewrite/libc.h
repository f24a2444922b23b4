/* Functions of libc for programs with symbolic inputs (libc.c, libc_stream.c, libc_format.c, libc_scan.c):
 * what they have in common. The rewriter hands over the arguments behind "..." as an array of words
 * (variadic.c), where shadows can follow them. */
#ifndef REWRITE_LIBC_H
#define REWRITE_LIBC_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

extern uint32_t raddle_sym_cells; /* rewrite/hooks.h */
#define PLAIN() __builtin_expect(!raddle_sym_cells, 1)

#define OWN(type, name, parameters) /* a prototype, and the definition */                          \
    type raddle_sym_##name parameters;                                                             \
    type raddle_sym_##name parameters

int raddle_sym_is_space(int c);
int raddle_sym_digit_of(int c, int base); /* -1: it is none */

/* An array of words is also what a va_list of x86-64 reads when its registers are used up: with it the
 * originals can be called. */
void raddle_sym_as_list(va_list list, const uint64_t *words);
int raddle_sym_read_size(const char **format); /* of the argument in bytes, from h, l, … */

int raddle_sym_is_output(int fd); /* where nothing is read again */
int raddle_sym_fgetc(FILE *f);
int raddle_sym_ungetc(int c, FILE *f);

/* rewrite/hooks.h */
void raddle_sym_force_memory(uintptr_t at, uint64_t size);
void raddle_sym_put(int c);
void raddle_sym_pointer(uintptr_t callee, uintptr_t at);
int raddle_sym_stream(int fd);
void raddle_sym_moved(int fd);
void raddle_sym_closed(int fd);
void raddle_sym_lost(void);

#endif
