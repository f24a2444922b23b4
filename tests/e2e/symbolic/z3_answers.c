/* z3_answers: reads questions in SMT-LIB 2 as --save-queries writes them, asks Z3 each, and
 * prints how many of the answers beside them ("; sat", "; unsat") are not Z3's. A question that
 * Z3 does not answer in 20 s, and one that it is not asked because it has worked for as many seconds as
 * the third argument says, is counted apart: undecided. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <z3.h>

static unsigned asked, wrong, undecided, seconds;

static void ask(Z3_context z3, char *question, const char *answer)
{
    bool late = seconds && clock() / CLOCKS_PER_SEC >= (clock_t)seconds;
    const char *said = late ? "unknown" : Z3_eval_smtlib2_string(z3, question);
    asked++;
    if (!strncmp(said, "unknown", 7) || !strncmp(said, "timeout", 7))
        undecided++;
    else if (strncmp(said, answer, strlen(answer)) || (said[0] != 's' && said[0] != 'u'))
        wrong++;
}

int main(int argc, char **argv)
{
    static char line[65536], question[1 << 22];
    size_t used = 0;
    Z3_config config = Z3_mk_config();
    Z3_set_param_value(config, "timeout", "20000");
    Z3_context z3 = Z3_mk_context(config);
    FILE *f = fopen(argc > 1 ? argv[1] : "", "r");
    unsigned nth = argc > 2 ? (unsigned)atoi(argv[2]) : 1, yes = 0; /* of those with "sat" every nth */
    seconds = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
    while (f && fgets(line, sizeof line, f)) {
        if (!strncmp(line, "(pop", 4))
            continue;
        if (strncmp(line, "(push", 5) && strncmp(line, "(assert", 7) && strncmp(line, "(check", 6)) {
            Z3_eval_smtlib2_string(z3, line);
            continue;
        }
        const char *answer = strchr(line, ';') ? strchr(line, ';') + 2 : "";
        size_t n = strcspn(line, ";\n");
        if (used + n + 16 > sizeof question)
            return 1;
        used += (size_t)sprintf(question + used, "%.*s\n", (int)n, line);
        if (strncmp(line, "(check", 6))
            continue;
        strcpy(question + used, "(pop 1)\n");
        used = 0;
        line[strcspn(line, "\n")] = 0;
        if (strcmp(answer, "unknown") && (strcmp(answer, "sat") || yes++ % nth == 0))
            ask(z3, question, answer);
    }
    printf("%u asked, %u undecided, %u wrong\n", asked, undecided, wrong);
    return !f || wrong;
}
