/* The functions that libc.c has. They are replaced before anything else is done to the module, and only
 * where the program does not define its own. */
#include "rewrite/rewrite.h"

#include <stdio.h>

static const char *const names[] = {
    "strlen",  "strnlen", "strcmp",  "strncmp", "memcmp",  "memchr",  "strchr",  "strrchr", "strstr",
    "strcpy",  "strncpy", "strcat",  "strdup",  "strtol",  "strtoul", "atoi",    "atol",    "isdigit",
    "islower", "isupper", "isalpha", "isalnum", "isspace", "isprint", "toupper", "tolower", "isxdigit",
    "strndup", "stpcpy",  "strncat", "strchrnul", "memrchr", "memmem", "strspn", "strcspn", "strpbrk",
    "strtok_r", "strtok", "strsep",  "strncasecmp", "strcasecmp", "strcasestr", "qsort", "bsearch",
    "strtoll", "strtoull", "strtoimax", "strtoumax", "atoll", "isblank", "iscntrl", "isgraph", "ispunct",
    "isascii", "fgetc",   "getc",    "getchar", "ungetc",  "fgets",   "fread",   "getdelim", "getline",
    "fseek",   "rewind",  "ftell",   "fclose",  "pread",   "lseek",
    "fputc",   "putc",    "putchar", "getopt",  "getopt_long", "__posix_getopt", "ffs", "ffsl", "ffsll"};

bool is_elsewhere(LLVMValueRef function)
{
    return LLVMIsDeclaration(function) || LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage;
}

static bool replace(LLVMModuleRef module, const char *known_as, const char *name)
{
    char own[64];
    LLVMValueRef function = LLVMGetNamedFunction(module, known_as);
    if (!function || !is_elsewhere(function) || !LLVMGetFirstUse(function))
        return false;
    snprintf(own, sizeof own, "raddle_sym_%s", name);
    LLVMValueRef instead = LLVMGetNamedFunction(module, own);
    if (!instead)
        instead = LLVMAddFunction(module, own, LLVMGlobalGetValueType(function));
    LLVMReplaceAllUsesWith(function, instead);
    return true;
}

bool rewrite_libc(LLVMModuleRef module)
{
    bool any = rewrite_variadics(module);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char newer[64]; /* what the headers call it for C23 */
        snprintf(newer, sizeof newer, "__isoc23_%s", names[i]);
        any |= replace(module, names[i], names[i]);
        any |= replace(module, newer, names[i]);
    }
    return any;
}
