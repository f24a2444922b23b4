#include "rt/posix/signals_queue.h"

#include "rt/check/finding.h"

#define ROOM 256

static struct queued {
    int thread, sig;
    union sigval value;
} items[ROOM];
static uint32_t count;

void queue_reset(void)
{
    count = 0;
}

void queue_put(int thread, int sig, union sigval value)
{
    if (count == ROOM) {
        finding_incomplete("more real-time signals are pending than raddle keeps");
        return;
    }
    items[count++] = (struct queued){thread, sig, value};
}

static uint32_t find(int thread, int sig)
{
    uint32_t i = 0;
    while (i < count && (items[i].thread != thread || items[i].sig != sig))
        i++;
    return i;
}

bool queue_take(int thread, int sig, union sigval *value)
{
    uint32_t at = find(thread, sig);
    if (at == count)
        return false;
    *value = items[at].value;
    for (count--; at < count; at++)
        items[at] = items[at + 1];
    return find(thread, sig) < count;
}
