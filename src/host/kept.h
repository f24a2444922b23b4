/* Options that a schedule keeps (trace/kept.def): from the command line or a schedule file into the
 * configuration of a run, and back into a schedule. */
#ifndef HOST_KEPT_H
#define HOST_KEPT_H

#include "base/error.h"
#include "trace/schedule.h"
#include "trace/shared.h"

/* All of them from `from`, a struct with a member for each, into *c; `bad` becomes -1 if one cannot be.
 * Members of options that were not given are NULL or, of a COUNT, 0. Around an #include of trace/kept.def:
 *
 *     #define KEPT(type, field, key, ...) KEPT_TAKE(type, field, key, __VA_ARGS__, from, c, bad, e)
 */
#define KEPT_TAKE(type, field, key, letter, arg, otherwise, help, from, c, bad, e)                 \
    KEPT_TAKE_##type(field, key, arg, otherwise, from, c, bad, e)
#define KEPT_TAKE_INT(field, key, arg, otherwise, from, c, bad, e)                                 \
    (c)->field = (__typeof__((c)->field))(from)->field;
#define KEPT_TAKE_SIZE KEPT_TAKE_INT
#define KEPT_TAKE_FLAG KEPT_TAKE_INT
#define KEPT_TAKE_COUNT(field, key, arg, otherwise, from, c, bad, e)                               \
    (c)->field = (__typeof__((c)->field))((from)->field ? (from)->field : otherwise);
#define KEPT_TAKE_TEXT(field, key, arg, otherwise, from, c, bad, e)                                \
    bad |= field##_parse((from)->field, c, e);
#define KEPT_TAKE_TEXTS KEPT_TAKE_TEXT
#define KEPT_TAKE_CHOICE(field, key, arg, otherwise, from, c, bad, e)                              \
    bad |= kept_choice(key, (from)->field, arg, &(c)->field, e);

/* The place of `text` among the words of "a|b|c"; 0 if it is NULL. */
int kept_choice(const char *key, const char *text, const char *words, uint8_t *place, struct error *e);

int nondet_parse(const char *text, struct run_config *c, struct error *e); /* NULL: no range */
int sym_args_parse(const char *text, struct run_config *c, struct error *e);
int sym_file_parse(const char *text, struct run_config *c, struct error *e);
int sym_env_parse(const char *text, struct run_config *c, struct error *e);
int status_parse(const char *text, struct run_config *c, struct error *e); /* NULL: 0 */
int property_parse(const char *text, struct run_config *c, struct error *e); /* NULL: none */

/* What a schedule of a run with this configuration keeps; and the other way round: -1 if it makes
 * no sense. */
void kept_write(const struct run_config *c, struct schedule *s);
int kept_read(const struct schedule *s, struct run_config *c, struct error *e);

#endif
