/* raddle-rewrite IN.bc OUT.bc CHECKS.bc LIBC.bc [-O0]: see rewrite.h. The passes before are few and fixed, so
 * that the branches of the program are those of its source whatever -O it is built with; but accesses to
 * memory are combined only if it is not built with -O0. Then comes the compiler's own instrumentation for
 * threads, then ours; the checks are linked in and inlined. */
#include "rewrite/rewrite.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Support.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the program alone: a local variable whose address does not leave its function needs no hooks. */
#define COMBINING "early-cse<memssa>,"
#define PASSES_FIRST(combining) "function(sroa," combining "instsimplify),cgscc(inline)"
#define PASSES_BEFORE(combining) "function(sroa," combining "instsimplify)"
#define PASSES_THREADS "tsan-module,function(tsan)"
#define PASSES_SIMPLE "function(instsimplify)"
#define PASSES_AFTER "always-inline,globaldce"

static LLVMModuleRef read_module(LLVMContextRef context, const char *path)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        fprintf(stderr, "raddle-rewrite: %s: %s\n", path, message);
        return NULL;
    }
    if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
        fprintf(stderr, "raddle-rewrite: %s is not bitcode of LLVM 19\n", path);
        return NULL;
    }
    return module;
}

static int run_passes(LLVMModuleRef module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef e = LLVMRunPasses(module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!e)
        return 0;
    fprintf(stderr, "raddle-rewrite: %s\n", LLVMGetErrorMessage(e));
    return -1;
}

static bool is_the_compilers(LLVMValueRef function)
{
    size_t n;
    return !strncmp(LLVMGetValueName2(function, &n), "tsan.", 5);
}

static void rewrite_module(struct rewrite *r)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f))
        if (!is_elsewhere(f) && !is_the_compilers(f))
            rewrite_function(r, f);
}

/* The checks become part of this module only, and vanish once they are inlined. */
static int link_checks(struct rewrite *r, const char *path)
{
    LLVMModuleRef checks = read_module(r->context, path);
    if (!checks || LLVMLinkModules2(r->module, checks))
        return -1;
    for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f)) {
        size_t n;
        if (!LLVMIsDeclaration(f) && !strncmp(LLVMGetValueName2(f, &n), "sym_", 4))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
    return run_passes(r->module, PASSES_AFTER);
}

/* Those of its functions that the program uses become part of it, and are rewritten as it is. */
static int link_libc(struct rewrite *r, const char *path)
{
    if (!rewrite_libc(r->module))
        return 0;
    LLVMModuleRef libc = read_module(r->context, path);
    if (libc)
        rewrite_intrinsics(libc);
    if (!libc || LLVMLinkModules2(r->module, libc))
        return -1;
    for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f)) {
        size_t n;
        if (!LLVMIsDeclaration(f) && !strncmp(LLVMGetValueName2(f, &n), "raddle_sym_", 11))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
    return run_passes(r->module, "globaldce");
}

/* By this the runtime knows that the program has symbolic code, and which objects were built otherwise. */
static void leave_mark(struct rewrite *r)
{
    static const char name[] = "raddle_sym.module_ctor";
    LLVMValueRef constructor = LLVMGetNamedFunction(r->module, "tsan.module_ctor");
    LLVMValueRef begin = LLVMGetNamedFunction(r->module, "__tsan_init");
    if (constructor)
        LLVMSetValueName2(constructor, name, sizeof name - 1);
    if (begin)
        LLVMReplaceAllUsesWith(begin, LLVMAddFunction(r->module, "raddle_sym_module",
                                                      LLVMGlobalGetValueType(begin)));
    LLVMTypeRef byte = LLVMInt8TypeInContext(r->context);
    LLVMValueRef mark = LLVMAddGlobal(r->module, byte, "raddle_sym_built");
    LLVMSetInitializer(mark, LLVMConstInt(byte, 1, 0));
    LLVMSetLinkage(mark, LLVMWeakAnyLinkage);
}

static int rewrite(const char *in, const char *out, const char *checks, const char *libc, bool combines)
{
    const char *first = combines ? PASSES_FIRST(COMBINING) : PASSES_FIRST("");
    const char *before = combines ? PASSES_BEFORE(COMBINING) : PASSES_BEFORE("");
    struct rewrite r = {.context = LLVMContextCreate(), .combines = combines};
    char *message = NULL;
    r.module = read_module(r.context, in);
    if (r.module) {
        rewrite_intrinsics(r.module);
        keep_faults(r.module, !combines);
    }
    if (!r.module || run_passes(r.module, first) || link_libc(&r, libc))
        return 1;
    hold_reads(r.module, true); /* of variables that others still know of, now that calls are inlined */
    if (run_passes(r.module, before))
        return 1;
    hold_reads(r.module, false);
    hide_locals(r.module);
    if (run_passes(r.module, PASSES_THREADS))
        return 1;
    show_locals(r.module);
    hold_reads(r.module, true);
    if (run_passes(r.module, PASSES_SIMPLE))
        return 1;
    hold_reads(r.module, false);
    r.builder = LLVMCreateBuilderInContext(r.context);
    r.i32 = LLVMInt32TypeInContext(r.context);
    r.i64 = LLVMInt64TypeInContext(r.context);
    r.none = LLVMVoidTypeInContext(r.context);
    r.layout = LLVMGetModuleDataLayout(r.module);
    rewrite_module(&r);
    leave_mark(&r);
    if (link_checks(&r, checks))
        return 1;
    if (LLVMVerifyModule(r.module, LLVMReturnStatusAction, &message)) {
        fprintf(stderr, "raddle-rewrite: the rewritten module is not right: %s\n", message);
        return 1;
    }
    if (LLVMWriteBitcodeToFile(r.module, out)) {
        fprintf(stderr, "raddle-rewrite: cannot write %s\n", out);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const options[] = {"raddle-rewrite", "-tsan-instrument-func-entry-exit=0",
                                          "-tsan-instrument-read-before-write=1",
                                          "-tsan-distinguish-volatile=1"};
    bool combines = argc != 6 || strcmp(argv[5], "-O0") != 0;
    if (argc != 5 && combines) {
        fprintf(stderr, "usage: raddle-rewrite IN.bc OUT.bc CHECKS.bc LIBC.bc [-O0]; "
                        "raddle cc --symbolic runs it\n");
        return 64;
    }
    LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, NULL);
    return rewrite(argv[1], argv[2], argv[3], argv[4], combines);
}
