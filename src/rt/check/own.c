#include "rt/check/own.h"

#include <stddef.h>

/* Filled in after linking (Makefile, scripts/own_code.c). */
static const uint32_t own_table[OWN_WORDS] __attribute__((section("raddle_own"), used)) = {0};

extern const char __ehdr_start[] __attribute__((visibility("hidden"))); /* where the runtime is loaded */

uintptr_t own_offset(uintptr_t pc)
{
    return pc - (uintptr_t)__ehdr_start;
}

enum own_class own_class(uintptr_t pc)
{
    const uint32_t *table = own_table;
    __asm__("" : "+r"(table)); /* it is not what the compiler sees */
    uintptr_t offset = own_offset(pc);
    size_t low = 0, high = OWN_WORDS; /* the last row at or before it is in low … high - 1 */
    if (offset >> 30)
        return OWN_END;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (table[middle] && table[middle] >> 2 <= offset)
            low = middle;
        else
            high = middle;
    }
    return table[low] >> 2 <= offset ? (enum own_class)(table[low] & 3) : OWN_END;
}
