/* The functions that libc.c has. They are replaced before anything else is done to the module, and only
 * where the program does not define its own. */
#include "rewrite/rewrite.h"

#include <stdio.h>

static const char *const names[] = {
    "strlen",  "strnlen", "strcmp",  "strncmp", "memcmp",  "memchr",  "strchr",  "strrchr", "strstr",
    "strcpy",  "strncpy", "strcat",  "strdup",  "strtol",  "strtoul", "atoi",    "atol",    "isdigit",
    "islower", "isupper", "isalpha", "isalnum", "isspace", "isprint", "toupper", "tolower", "isxdigit"};

bool is_elsewhere(LLVMValueRef function)
{
    return LLVMIsDeclaration(function) || LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage;
}

static bool replace(LLVMModuleRef module, const char *name)
{
    char own[64];
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    if (!function || !is_elsewhere(function) || !LLVMGetFirstUse(function))
        return false;
    snprintf(own, sizeof own, "raddle_sym_%s", name);
    LLVMValueRef instead = LLVMAddFunction(module, own, LLVMGlobalGetValueType(function));
    LLVMReplaceAllUsesWith(function, instead);
    return true;
}

bool rewrite_libc(LLVMModuleRef module)
{
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        any |= replace(module, names[i]);
    return any;
}
