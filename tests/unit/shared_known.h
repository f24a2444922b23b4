/* Programs whose numbers of traces are known, searched by three workers that split more and more often
 * and die now and then. Included after cmocka.h. */
#include "sim.h"

typedef void run_shared(struct sim_team *t, const struct sim_program *p, const char *engine, int sleep);

/* Programs of up to `most` traces (RADDLE_LONG: more); those of more than `often` are not split often. */
static void shared_known(run_shared *run, long most, long often)
{
    static struct sim_program p;
    if (getenv("RADDLE_LONG"))
        most = 200000;
    for (int i = 0; i < sim_known_count; i++) {
        const struct sim_known *k = &sim_known[i];
        if (k->traces > most)
            continue;
        memset(&p, 0, sizeof p);
        k->build(&p, k->n);
        for (int chance = 2; chance <= 1000; chance *= 20) {
            struct sim_team t = {.workers = 3, .splits = chance, .deaths = 2, .seed = 7};
            if (chance > 100 && k->traces > often)
                continue;
            run(&t, &p, "optimal", 1);
            if (t.complete != k->traces || t.blocked || t.deadlocks != k->deadlocks)
                fail_msg("%s(%d), splits %d: %ld traces, wanted %ld; %ld blocked, %ld deadlocks",
                         k->name, k->n, chance, t.complete, k->traces, t.blocked, t.deadlocks);
        }
    }
}
