/* The subcommands: one cmd_*.c each, listed in commands.def. argv[0] is the subcommand's name; the
 * return value is the exit status. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/opt.h"

#define COMMAND(name)                                                                              \
    int cmd_##name(int argc, char **argv);                                                         \
    extern const struct opt_command cmd_##name##_options;
#include "cli/commands.def"
#undef COMMAND

/* The compiler driver that raddle is when raddle env has it called by the name of a compiler, or NULL. */
int (*env_driver(const char *name))(int argc, char **argv);

#endif
