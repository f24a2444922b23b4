/* raddle version. */
#include "cli/cli.h"

#include <stdio.h>

const struct opt_command cmd_version_options = {
    .name = "version",
    .usage = "",
    .summary = "print the version",
    .description = "raddle --version is the same. Exit status: 0.",
};

#ifndef RADDLE_VERSION
#define RADDLE_VERSION "0.1.0"
#endif

int cmd_version(int argc, char **argv)
{
    struct error e;
    if (opt_parse(&cmd_version_options, argc, argv, NULL, &e) < 0)
        return error_print(&e);
    printf("raddle %s\n", RADDLE_VERSION);
    return 0;
}
