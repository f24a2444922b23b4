/* A growing string. `struct sbuf b = {0}; sbuf_printf(&b, …); sbuf_str(&b); sbuf_free(&b);` */
#ifndef BASE_SBUF_H
#define BASE_SBUF_H

#include <stddef.h>

struct sbuf {
    char *s;
    size_t len, room;
};

void sbuf_printf(struct sbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sbuf_add(struct sbuf *b, const char *s, size_t n);
void sbuf_puts(struct sbuf *b, const char *s);
void sbuf_putc(struct sbuf *b, char c);
void sbuf_pad(struct sbuf *b, char c, size_t n);     /* n times c */
void sbuf_json(struct sbuf *b, const char *s);       /* s as a quoted JSON string */
void sbuf_html(struct sbuf *b, const char *s);       /* s with &<>"' escaped */
void sbuf_word(struct sbuf *b, const char *s);       /* s as a word for the shell, quoted if need be */
const char *sbuf_str(const struct sbuf *b);          /* never NULL; owned by b */
void sbuf_free(struct sbuf *b);

#endif
