/* Colours and widths of text reports. Every function that colours takes the style and writes nothing
 * but the text if it has no colours. */
#ifndef REPORT_STYLE_H
#define REPORT_STYLE_H

#include "base/sbuf.h"
#include "report/report.h"

enum tint { TINT_PLAIN, TINT_BAD, TINT_GOOD, TINT_WARN, TINT_HEAD, TINT_DIM, TINT_BOLD };

void style_put(struct style s, struct sbuf *out, enum tint t, const char *text);
void style_printf(struct style s, struct sbuf *out, enum tint t, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

size_t style_columns(const char *text);                  /* width on the screen (UTF-8) */
char *style_cut(const char *text, size_t columns);       /* copy, "…" at the end if it was cut */

/* Words wrapped at the style's width, continuation lines indented. Starts at column `at`. */
void style_wrap(struct style s, struct sbuf *out, const char *text, size_t at, size_t indent);

#endif
