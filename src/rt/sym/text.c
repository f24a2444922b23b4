/* Inputs as text: one line for each, THREAD.INDEX TYPE VALUE NAME (input.c). The text of the execution under
 * way is in the shared memory, for whoever finds this process dead. It is written in every execution, so it
 * has its own way of writing numbers, and only the line of the newest input is. */
#include "rt/sym/sym.h"

#include "rt/check/finding.h"

static uint32_t written; /* characters of shared.inputs_now */

static char *put_decimal(char *p, uint64_t v)
{
    char digits[20];
    int n = 0;
    do
        digits[n++] = (char)('0' + v % 10);
    while (v /= 10);
    while (n > 0)
        *p++ = digits[--n];
    return p;
}

static char *put_number(char *p, const struct sym_input *in, const uint8_t *bytes)
{
    uint64_t v = sym_input_value(in, bytes);
    bool negative = in->is_signed && (int64_t)v < 0;
    *p++ = in->is_signed ? 's' : 'u';
    p = put_decimal(p, in->type_size);
    *p++ = ' ';
    if (negative)
        *p++ = '-';
    return put_decimal(p, negative ? 0 - v : v);
}

static char *put_bytes(char *p, const struct sym_input *in, const uint8_t *bytes)
{
    static const char hex[] = "0123456789abcdef";
    p += rt_format(p, 8, "%s ", in->is_text ? "text" : "bytes");
    for (uint32_t i = 0; i < in->size; i++) {
        *p++ = hex[bytes[in->first + i] >> 4];
        *p++ = hex[bytes[in->first + i] & 15];
    }
    return p;
}

/* Longer than any line of a number; bytes take two characters each. */
static size_t length_of(const struct sym_input *in)
{
    return 96 + (in->is_bytes ? 2 * in->size : 0);
}

/* Into length_of() characters. Returns where it ends. */
static char *put_line(char *p, const struct sym_input *in, const uint8_t *bytes)
{
    p = put_decimal(p, in->thread);
    *p++ = '.';
    p = put_decimal(p, in->index);
    *p++ = ' ';
    p = in->is_bytes ? put_bytes(p, in, bytes) : put_number(p, in, bytes);
    *p++ = ' ';
    for (const char *c = in->name; *c;)
        *p++ = *c++;
    *p++ = '\n';
    *p = 0;
    return p;
}

void sym_format_inputs(const uint8_t *bytes, char *out, size_t room)
{
    char *p = out;
    if (!sym_explores())
        return;
    out[0] = 0;
    for (uint32_t i = 0; i < sym->input_count; i++) {
        const struct sym_input *in = &sym->inputs[i];
        if (in->used != sym->execution)
            continue;
        if (room - (size_t)(p - out) < length_of(in)) {
            finding_warn(0, "the inputs are too long to be kept with the schedule");
            return;
        }
        p = put_line(p, in, bytes);
    }
}

void sym_text_reset(void)
{
    written = 0;
    rt.shared->inputs_now[0] = 0;
}

void sym_text_add(const struct sym_input *in)
{
    char *now = rt.shared->inputs_now;
    if (!sym_explores())
        return;
    if (sizeof rt.shared->inputs_now - written < length_of(in))
        finding_warn(0, "the inputs are too long to be kept with the schedule");
    else
        written = (uint32_t)(put_line(now + written, in, sym->bytes) - now);
}
