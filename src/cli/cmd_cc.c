/* raddle cc and raddle c++: the compiler driver. They have no options of their own: every word
 * belongs to the compiler, except a lone --help or --help-man. */
#include "cli/cli.h"

#include "cc/driver.h"

#include <string.h>

static const char cc_description[] =
    "Takes the same arguments as the compiler and builds a program, a library or an object that "
    "raddle can explore: compiled with the compiler's own -fsanitize=thread instrumentation, with "
    "debug information, and linked with raddle's runtime in the place of the sanitizer's. The "
    "result still runs normally on its own.\n\n"
    "Use it wherever a compiler is named: CC=\"raddle cc\" make, CC=raddle-cc CXX=raddle-c++ "
    "./configure, cmake -DCMAKE_C_COMPILER=raddle-cc, CC=raddle-cc meson setup build. raddle-cc is "
    "raddle cc, and raddle-c++ is raddle c++, under one name. Questions such as --version, -E, -M, "
    "-print-search-dirs are the compiler's to answer.\n\n"
    "The compiler underneath is clang if it is there, else gcc. RADDLE_CC and RADDLE_CXX name "
    "another: gcc, clang-14, a path, \"ccache gcc\". If only one of the two is set, the other "
    "follows from it.\n\n"
    "--symbolic builds for symbolic inputs (raddle_input and its kin of raddle.h, __VERIFIER_nondet_*): "
    "raddle run then explores all schedules with every relevant input. It needs clang-19; all files of "
    "the program should be built with it.\n\n"
    "All files of a program should be built this way. Code that is not (libraries of the system) "
    "may be called, but what it does to shared memory is not seen.\n\n"
    "Left out, with a notice: -flto, -fsanitize=…, -s. Refused: -static, since the runtime takes "
    "its place when the program is loaded. The macro __RADDLE__ is defined. The exit status is the "
    "compiler's, or 3 if there is none.";

const struct opt_command cmd_cc_options = {
    .name = "cc",
    .usage = "COMPILER-ARGUMENT…",
    .summary = "compile or link a C program for raddle",
    .description = cc_description,
};

const struct opt_command cmd_cxx_options = {
    .name = "c++",
    .usage = "COMPILER-ARGUMENT…",
    .summary = "compile or link a C++ program for raddle",
    .description = cc_description,
};

static int drive(const struct opt_command *options, int cplusplus, int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--help")) {
        opt_print_help(options);
        return 0;
    }
    if (argc == 2 && !strcmp(argv[1], "--help-man")) {
        opt_print_man(options);
        return 0;
    }
    return driver_run(cplusplus, argc, argv);
}

int cmd_cc(int argc, char **argv)
{
    return drive(&cmd_cc_options, 0, argc, argv);
}

int cmd_cxx(int argc, char **argv)
{
    return drive(&cmd_cxx_options, 1, argc, argv);
}
