/* enumerate FIRST LAST LIMIT DIR: for every seed the number of interleavings of its random program, by
 * the simulator's enumeration, and the program itself as DIR/SEED; programs with more than LIMIT, or
 * with spin loops (where the runtime reads a few times more before it knows), are left out. */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>

static int spins(const struct sim_program *p)
{
    for (int t = 0; t < p->threads; t++)
        for (int i = 0; i < p->length[t]; i++)
            if (p->code[t][i].op == SIM_SPIN)
                return 1;
    return 0;
}

int main(int argc, char **argv)
{
    static struct sim_program p;
    uint64_t last = strtoull(argv[2], NULL, 0);
    for (uint64_t seed = strtoull(argv[1], NULL, 0); seed <= last; seed++) {
        sim_random_program(&p, seed);
        struct sim_set seen = {0};
        long n = spins(&p) ? -1 : sim_brute(&p, atol(argv[3]), &seen);
        sim_set_free(&seen);
        if (n <= 0)
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%lu", argv[4], seed);
        FILE *f = fopen(path, "wb");
        if (!f || fwrite(&p, sizeof p, 1, f) != 1 || fclose(f))
            return 3;
        printf("%s %ld\n", path, n);
    }
    return 0;
}
