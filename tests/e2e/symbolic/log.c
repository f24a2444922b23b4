/* What an execution did, as one line of text. A library built without raddle: threads are
 * not switched in here. */
#include <stdio.h>
#include <string.h>

#define ROOM 256
static struct {
    char thread[ROOM], writes[ROOM];
    int n;
} accesses[3];
static char branches[3][ROOM];
static int branch_count[3];

void log_access(int variable, int thread, int writes);
void log_branch(int thread, int taken);
const char *log_text(void);

void log_access(int variable, int thread, int writes)
{
    int n = accesses[variable].n++;
    accesses[variable].thread[n] = (char)thread;
    accesses[variable].writes[n] = (char)writes;
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
    static char line[2048];
    int n = 0;
    n += snprintf(line + n, sizeof line - (size_t)n, "outcome");
    for (int v = 0; v < 3; v++) {
        sort_reads(v);
        n += snprintf(line + n, sizeof line - (size_t)n, " v%d:", v);
        for (int i = 0; i < accesses[v].n; i++)
            n += snprintf(line + n, sizeof line - (size_t)n, "%c%d", accesses[v].writes[i] ? 'w' : 'r',
                          accesses[v].thread[i]);
    }
    snprintf(line + n, sizeof line - (size_t)n, " branches %s,%s,%s", branches[0], branches[1], branches[2]);
    return line;
}
