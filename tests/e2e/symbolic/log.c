/* What an execution did, as one line of text. A library built without raddle: threads are
 * not switched in here. */
#include <stdio.h>
#include <string.h>

#define ROOM 256
enum { OBJECTS = 8, THREADS = 4 };
static struct {
    char thread[ROOM], writes[ROOM];
    int n;
} accesses[OBJECTS];
static char branches[THREADS][ROOM];
static int branch_count[THREADS];

void log_access(int object, int thread, int writes);
void log_branch(int thread, int taken);
const char *log_text(void);

void log_access(int object, int thread, int writes)
{
    int n = accesses[object].n++;
    accesses[object].thread[n] = (char)thread;
    accesses[object].writes[n] = (char)writes;
}

void log_branch(int thread, int taken)
{
    branches[thread][branch_count[thread]++] = (char)('0' + taken);
}

/* Neighbouring reads commute. */
static void sort_reads(int v)
{
    for (int again = 1; again;) {
        again = 0;
        for (int i = 0; i + 1 < accesses[v].n; i++)
            if (!accesses[v].writes[i] && !accesses[v].writes[i + 1] &&
                accesses[v].thread[i] > accesses[v].thread[i + 1]) {
                char t = accesses[v].thread[i];
                accesses[v].thread[i] = accesses[v].thread[i + 1];
                accesses[v].thread[i + 1] = t;
                again = 1;
            }
    }
}

const char *log_text(void)
{
    static char line[8192];
    int n = 0;
    n += snprintf(line + n, sizeof line - (size_t)n, "outcome");
    for (int v = 0; v < OBJECTS; v++) {
        sort_reads(v);
        n += snprintf(line + n, sizeof line - (size_t)n, " %d:", v);
        for (int i = 0; i < accesses[v].n; i++)
            n += snprintf(line + n, sizeof line - (size_t)n, "%c%d", accesses[v].writes[i] ? 'w' : 'r',
                          accesses[v].thread[i]);
    }
    n += snprintf(line + n, sizeof line - (size_t)n, " branches ");
    for (int t = 0; t < THREADS; t++)
        n += snprintf(line + n, sizeof line - (size_t)n, "%s%s", t ? "," : "", branches[t]);
    return line;
}
