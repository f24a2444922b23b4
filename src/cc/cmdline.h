/* What a compiler command line asks for: does it compile, does it link, which words must not reach
 * the compiler. Knows nothing of which compiler it is. */
#ifndef CC_CMDLINE_H
#define CC_CMDLINE_H

#include "base/mem.h"

/* What a flag means to the driver. */
enum cc_effect {
    CC_PASS,           /* nothing: handed on */
    CC_ASK,            /* a question to the compiler: the whole line is handed on untouched */
    CC_STOP,           /* ends before code is made */
    CC_OBJECT,         /* ends before linking */
    CC_PARTIAL,        /* links objects into an object */
    CC_STATIC,         /* links without the dynamic linker */
    CC_DROP,           /* silently left out */
    CC_DROP_LTO,       /* left out with a notice */
    CC_DROP_SANITIZER, /* left out with a notice */
    CC_DROP_STRIP,     /* left out with a notice */
    CC_LANGUAGE,       /* language of the files that follow */
    CC_LIBRARY,        /* -lNAME */
    CC_OUTPUT,         /* -o FILE */
    CC_RULE,           /* writes a rule for make beside */
    CC_RULE_FILE,      /* where to */
    CC_RULE_TARGET,    /* its target */
    CC_SYMBOLIC,       /* raddle's own: build for symbolic inputs */
    CC_LEVEL,          /* of optimisation: the last one counts */
};

enum cc_source { CC_NO_SOURCE, CC_C, CC_CXX, CC_ASSEMBLY, CC_ASSEMBLY_CPP, CC_BITCODE };

struct cc_word {
    const char *text;
    int arg;  /* the argument it came from: several words come from one @file */
    int drop; /* must not reach the compiler */
    enum cc_source source; /* a source file that may have inline assembly, or is assembly */
    const char *language;  /* of the -x before it, or NULL */
    const char *instead;   /* the file to compile in its place, or NULL */
};

struct cc_line {
    VEC(struct cc_word) words; /* the arguments with response files read */
    int symbolic;              /* --symbolic */
    int optimises;             /* -O1 and up */
    int rewritten;             /* its sources are bitcode now that has all instrumentation */
    int asks;                  /* a question such as --version */
    int compiles;              /* has a source file */
    int makes_code;            /* … and makes code of it */
    const char *output;        /* of -o, or NULL */
    int makes_rule, names_rule, names_target; /* -MD or -MMD; -MF; -MT or -MQ */
    int links;                 /* makes a program or a shared library */
    const char *is_static;     /* the flag that asks for a static program, or NULL */
    const char *lto, *sanitizer, *strip; /* first such flag that was dropped, or NULL */
};

/* Reads argv[1…]; the words point into argv or into memory of the line. */
void cc_line_read(struct cc_line *line, int argc, char **argv);
void cc_line_free(struct cc_line *line);

#endif
