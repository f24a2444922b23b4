#include "rt/posix/signals_queue.h"

#include "rt/check/finding.h"

#define ROOM 256

static struct queued {
    int thread, sig;
    struct signal_note note;
} items[ROOM];
static uint32_t count;

void queue_reset(void)
{
    count = 0;
}

void queue_put(int thread, int sig, struct signal_note note)
{
    if (count == ROOM) {
        finding_incomplete("more real-time signals are pending than raddle keeps");
        return;
    }
    items[count++] = (struct queued){thread, sig, note};
}

static uint32_t find(int thread, int sig)
{
    uint32_t i = 0;
    while (i < count && (items[i].thread != thread || items[i].sig != sig))
        i++;
    return i;
}

bool queue_take(int thread, int sig, struct signal_note *note)
{
    uint32_t at = find(thread, sig);
    if (at == count)
        return false;
    *note = items[at].note;
    for (count--; at < count; at++)
        items[at] = items[at + 1];
    return find(thread, sig) < count;
}
