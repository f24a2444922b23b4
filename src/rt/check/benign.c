#include "rt/check/benign.h"

#include "rt/check/finding.h"
#include "rt/core/interpose.h"

#define RANGES 1024

static struct {
    uint32_t generation;
    uint32_t count, before_main; /* the first ones were declared before main */
    struct {
        uintptr_t start, end, pc;
    } ranges[RANGES];
} benign;

static void begin_generation(void)
{
    if (benign.generation != rt.generation)
        benign.count = benign.before_main;
    benign.generation = rt.generation;
}

void benign_declare(uintptr_t address, size_t size, uintptr_t pc)
{
    if (rt.active)
        begin_generation();
    for (uint32_t i = 0; i < benign.count; i++)
        if (benign.ranges[i].start == address && benign.ranges[i].end == address + size)
            return;
    if (benign.count == RANGES) {
        if (rt.active)
            finding_warn(pc, "more than %u declarations of benign races: the races here are told", RANGES);
        return;
    }
    benign.ranges[benign.count].start = address;
    benign.ranges[benign.count].end = address + size;
    benign.ranges[benign.count++].pc = pc;
    if (!rt.active)
        benign.before_main = benign.count;
}

bool benign_has(uintptr_t address, size_t size)
{
    if (!benign.count)
        return false;
    begin_generation();
    for (uint32_t i = 0; i < benign.count; i++)
        if (address >= benign.ranges[i].start && address + size <= benign.ranges[i].end) {
            finding_warn(benign.ranges[i].pc, "there are races for the memory that is declared benign here; "
                                              "they are explored, but are no findings");
            return true;
        }
    return false;
}

void benign_forget(uintptr_t address, size_t size)
{
    if (RT_LIKELY(!benign.count))
        return;
    begin_generation();
    for (uint32_t i = benign.before_main; i < benign.count;)
        if (benign.ranges[i].start - address < size)
            benign.ranges[i] = benign.ranges[--benign.count];
        else
            i++;
}

void raddle_rt_benign(const volatile void *address, size_t size);
RT_EXPORT void raddle_rt_benign(const volatile void *address, size_t size)
{
    benign_declare((uintptr_t)address, size, RT_PC());
}
