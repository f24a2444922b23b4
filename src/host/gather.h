/* From a search to a report: the findings of all workers, each replayed in a fresh process before it
 * counts as one, made shorter, recorded and named, worst first.
 *
 * What a fresh process does not show again is told as "not reproduced" and leaves the verdict
 * incomplete. It means that the program could not be put back between executions, so the search is to be
 * repeated with a process for each (gather_wants_isolation), whose verdict is that of the run. A livelock
 * is not only what the program did, but what was concluded from it with what had been learned of its
 * loops: if that does not appear again it may also be the conclusion that was wrong, here or there, and
 * the verdict stays incomplete. */
#ifndef HOST_GATHER_H
#define HOST_GATHER_H

#include "host/known.h"
#include "host/program.h"
#include "host/supervise.h"
#include "report/report.h"

struct gather_told {
    struct report_finding finding;
    struct finding found;
    int story; /* the recording: a descriptor, -1 = none */
};

struct gather {
    const struct search *search;
    const struct worker_spec *spec;
    const struct program *program;
    const struct run_config *config;
    const char *directory; /* of the results */
    int count_only; /* findings are counted, not told */
    int shrink;
    int quiet;
    const struct known *known; /* what does not fail; NULL: nothing */
    double deadline; /* when all must be told (progress_now()); 0 = no limit */

    struct worker_spec silent; /* as spec, its output hidden */
    struct progress progress;
    int asked;    /* signals before telling began */
    size_t found; /* findings that appeared again */
    int lost, lost_before; /* wild writes that destroyed their own schedule, now and in the search before */
    uint64_t executions_before; /* of it */
    VEC(struct gather_told) told;
    VEC(int) stories; /* of the findings of the report, in its order */
    struct report_list unreproduced, unreplayed, unrecorded; /* in words */
    struct report_list known_ones; /* findings, in words */
    struct report_list artefacts; /* not reproduced, of the search before */
    size_t livelocks, unexplained; /* not reproduced, now and of these */
    struct error internal; /* raddle itself failed on the way; ours = 0: it did not */
};

#define GATHER_FINDINGS 16 /* at most so many are told */

/* Replays and tells what the search found; before gather_report. */
void gather_findings(struct gather *g);

/* Is the search to be repeated with --isolate fork? Then gather_next_search, and with the results of
 * the new one gather_findings again: what was told stays. */
int gather_wants_isolation(const struct gather *g);
void gather_next_search(struct gather *g);

void gather_report(struct gather *g, struct report *r);
void gather_free(struct gather *g);
void gather_told_free(struct gather_told *t);

/* Names for addresses of the program without a recording. */
void gather_only_program(struct tale *t, const char *path);

/* What a schedule file says about racy accesses, as jobs want it (allocated). */
char *gather_racy_names(const struct schedule *s);

#endif
