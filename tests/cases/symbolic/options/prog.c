/* Options that getopt_long reads from arguments which are inputs. */
#include <getopt.h>
#include <raddle.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    static const struct option names[] = {{"size", required_argument, NULL, 's'},
                                          {"go", no_argument, NULL, 'g'}, {0}};
    int size = 1, go = 0, c;
    opterr = 0;
    while ((c = getopt_long(argc, argv, "s:g", names, NULL)) != -1) {
        if (c == 's')
            size = atoi(optarg);
        else if (c == 'g')
            go++;
        else
            return 0;
    }
    raddle_assert(optind <= argc);
    raddle_assert(!(go && size == 42 && optind < argc && !strcmp(argv[optind], "x"))); /* BUG */
    return 0;
}
