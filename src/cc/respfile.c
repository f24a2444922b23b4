/* Response files, split as gcc and clang do: words end at white space, '…' and "…" group, and a
 * backslash takes the next character as it is, inside quotes too. */
#include "cc/respfile.h"

#include "base/sbuf.h"
#include "base/mem.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MAX_BYTES (16u << 20) /* a longer one is for the compiler alone */

static int read_all(const char *path, struct sbuf *into)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    char part[4096];
    size_t n;
    while (into->len < MAX_BYTES && (n = fread(part, 1, sizeof part, f)) > 0)
        sbuf_add(into, part, n);
    int bad = ferror(f) || into->len >= MAX_BYTES;
    fclose(f);
    return bad ? -1 : 0;
}

/* One word from *at on, which is not white space. */
static char *next_word(const char **at)
{
    struct sbuf word = {0};
    char quote = 0;
    const char *p = *at;
    for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
        if (*p == '\\' && p[1])
            sbuf_putc(&word, *++p);
        else if (*p == quote)
            quote = 0;
        else if (!quote && (*p == '\'' || *p == '"'))
            quote = *p;
        else
            sbuf_putc(&word, *p);
    }
    *at = p;
    char *text = mem_strdup(sbuf_str(&word));
    sbuf_free(&word);
    return text;
}

int respfile_read(const char *path, void (*word)(char *text, void *context), void *context)
{
    struct sbuf all = {0};
    if (read_all(path, &all)) {
        sbuf_free(&all);
        return -1;
    }
    const char *p = sbuf_str(&all);
    for (p += strspn(p, " \t\n\r\f\v"); *p; p += strspn(p, " \t\n\r\f\v"))
        word(next_word(&p), context);
    sbuf_free(&all);
    return 0;
}
