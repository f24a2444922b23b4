/* Strict UTF-8: what comes from files, programs and the command line need not be text. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdint.h>

#define UTF8_BAD 0xffffffffu

/* The character at *s, which moves behind it; UTF8_BAD for a byte that begins none (one byte is passed
 * over). Overlong forms, surrogates and what lies beyond Unicode are not characters. *s is not at the end. */
uint32_t utf8_next(const char **s);

/* May it change how what stands around it is shown: a control character (tab and newline are none), or one
 * of those that turn the direction of writing? */
int utf8_is_control(uint32_t c);

#endif
