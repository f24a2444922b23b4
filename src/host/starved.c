#include "host/starved.h"

#include <stdio.h>
#include <time.h>

double starved_cpu(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t))
        return 0;
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static char state_of(pid_t pid)
{
    char path[40], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
        state = 0;
    fclose(f);
    return state;
}

void worked_note(struct worked *w, pid_t pid, double now)
{
    double cpu = starved_cpu(pid), used = cpu > w->cpu ? cpu - w->cpu : 0;
    w->seconds += state_of(pid) == 'R' ? used : now - w->at;
    w->at = now;
    w->cpu = cpu;
}

bool starved(pid_t pid, double enough)
{
    char state = state_of(pid);
    return (state == 'R' || state == 'D') && starved_cpu(pid) < enough;
}
