#include "cli/verdict.h"

#include "cli/outdir.h"
#include "report/junit.h"

#include <stdio.h>
#include <string.h>

int verdict_junit(const char *path, const char *command, const char *name, double seconds,
                  int status, const struct sbuf *text, struct error *e)
{
    struct sbuf xml = {0};
    int failed = 0;
    if (!path)
        return 0;
    junit_one(&xml, &(struct junit_case){.class = command,
                                         .name = name,
                                         .seconds = seconds,
                                         .outcome = junit_outcome(status),
                                         .message = sbuf_str(text),
                                         .text = sbuf_str(text)});
    if (!strcmp(path, "-"))
        fwrite(sbuf_str(&xml), 1, xml.len, stdout);
    else
        failed = outdir_write(path, sbuf_str(&xml), xml.len, e);
    sbuf_free(&xml);
    return failed;
}

int verdict_worse(int a, int b)
{
    static const int order[] = {EXIT_SAFE, EXIT_INCOMPLETE, EXIT_UNWRITTEN, EXIT_BUG};
    int rank_a = 4, rank_b = 4;
    for (int i = 0; i < 4; i++) {
        rank_a = order[i] == a ? i : rank_a;
        rank_b = order[i] == b ? i : rank_b;
    }
    return rank_b > rank_a ? b : a;
}
