/* What inline assembly means to other threads, and how it is wrapped. */
#include "cc/asm_statement.h"
#include "cc/asm_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const char *const names[] = {[ASM_NOTHING] = "nothing", [ASM_FENCE] = "fence",
                                    [ASM_LOAD] = "load",       [ASM_STORE] = "store",
                                    [ASM_UPDATE] = "update",   [ASM_UNKNOWN] = "unknown"};

static void knows_what_a_statement_does(void **state)
{
    static const struct {
        const char *text, *meaning, *address, *size;
    } all[] = {
        {"\"\" ::: \"memory\"", "nothing", NULL, NULL},
        {"\"pause\"", "nothing", NULL, NULL},
        {"\"rep; nop\" : : : \"memory\"", "nothing", NULL, NULL},
        {"\"\" : \"+m\"(x)", "nothing", NULL, NULL},
        {"\"# only a remark\" : \"+m\"(x)", "nothing", NULL, NULL},
        {"\"mfence\" ::: \"memory\"", "fence", NULL, NULL},
        {"\"lock; addl $0,0(%%rsp)\" ::: \"memory\"", "fence", NULL, NULL},
        {"\"lock; orq $0, -8(%%rsp)\" ::: \"memory\"", "fence", NULL, NULL},
        {"\"bswap %0\" : \"+r\"(x)", "nothing", NULL, NULL},
        {"\"cpuid\" : \"=a\"(a), \"=b\"(b) : \"0\"(n)", "nothing", NULL, NULL},
        {"\"rdtsc\" : \"=a\"(a), \"=d\"(d)", "nothing", NULL, NULL},
        {"\"lea 4(%1), %0\" : \"=r\"(a) : \"r\"(b)", "nothing", NULL, NULL},
        {"\"addl %1, %0\" : \"+r\"(a) : \"rm\"(b)", "nothing", NULL, NULL},
        {"\"syscall\" : \"=a\"(r) : \"a\"(n) : \"rcx\", \"r11\", \"memory\"", "nothing", NULL, NULL},
        {"\"lock; incl %0\" : \"+m\"(*p)", "update", "&(*p)", "sizeof(*p)"},
        {"\"lock; \" \"xaddl %0, %1\" : \"=r\"(v), \"=m\"(*p) : \"0\"(v), \"m\" ( *p )", "update", "&(*p)",
         "sizeof(*p)"},
        {"\"xchgb %b0, %[l]\" : \"+q\"(v), [l] \"+m\"(s->l)", "update", "&(s->l)", "sizeof(s->l)"},
        {"\"movb $0, %0\" : \"=m\"(lock)", "store", "&(lock)", "sizeof(lock)"},
        {"\"movl %1, %0\" : \"=r\"(v) : \"m\"(a[i])", "load", "&(a[i])", "sizeof(a[i])"},
        {"\"lock; xaddq %0, (%1)\" : \"+r\"(v) : \"r\"(p) : \"memory\"", "update", "p", "8"},
        {"\"lock; incw (%[p])\" : : [p] \"r\"(q) : \"memory\"", "update", "q", "2"},
        {"\"movl (%1), %0\" : \"=r\"(v) : \"r\"(p)", "load", "p", "4"},
        {"\"movl (%1), %0\" : \"=r\"(v) : \"r\"(p++)", "unknown", NULL, NULL},
        {"\"lock; incl %0\" : \"+m\"(*next())", "unknown", NULL, NULL},
        {"\"lock; incl 8(%0)\" : : \"r\"(p) : \"memory\"", "unknown", NULL, NULL},
        {"\"lock; incl (%0,%1,4)\" : : \"r\"(p), \"r\"(i)", "unknown", NULL, NULL},
        {"\"lock; incl counter(%%rip)\" :", "unknown", NULL, NULL},
        {"\"incl counter\" :", "unknown", NULL, NULL},
        {"\"1: lock; decl %0; js 1b\" : \"+m\"(*p)", "unknown", NULL, NULL},
        {"\"lock; cmpxchgl %1, %0; jne %l2\" : : \"m\"(*p), \"r\"(n) : : again", "unknown", NULL, NULL},
        {"\"xchgl %0, %1; xchgl %0, %2\" : \"+r\"(v), \"+m\"(a), \"+m\"(b)", "unknown", NULL, NULL},
        {"\"rep; stosb\" : \"+D\"(p), \"+c\"(n) : \"a\"(0) : \"memory\"", "unknown", NULL, NULL},
        {"\"call f\" ::: \"memory\"", "unknown", NULL, NULL},
        {"\".byte 0x0f, 0xc7, 0xf0\" : \"=a\"(r)", "unknown", NULL, NULL},
        {"\"rdrand %0\" : \"=r\"(r)", "unknown", NULL, NULL},
        {"\"lock inc dword ptr [rax]\" :", "unknown", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct asm_statement s;
        asm_statement_read(&s, all[i].text, strlen(all[i].text));
        if (strcmp(names[s.meaning], all[i].meaning))
            fail_msg("%s: %s, not %s", all[i].text, names[s.meaning], all[i].meaning);
        if (all[i].address) {
            assert_string_equal(s.address, all[i].address);
            assert_string_equal(s.size, all[i].size);
        }
        asm_statement_free(&s);
    }
}

/* The instrumented text behind the declarations. */
static const char *wrapped(const char *text, int *found)
{
    static struct sbuf out;
    sbuf_free(&out);
    *found = asm_text_instrument(&out, text, strlen(text), 0);
    return strchr(sbuf_str(&out), '\n') + 1;
}

static void wraps_statements_and_only_these(void **state)
{
    static const struct {
        const char *text, *result;
    } all[] = {
        {"extern int f(void) __asm__ (\"\" \"__other\");\n", NULL},
        {"register long r asm(\"r10\") = 1;\n", NULL},
        {"void f(void) { __asm__ volatile (\"pause\"); }\n", NULL},
        {"char *s = \"asm(\\\"lock; incl %0\\\" : \\\"+m\\\"(x));\";\n", NULL},
        {"asm(\".symver f, f@V1\");\n", NULL},
        {"int basm(int x); int y = basm (1);\n", NULL},
        {"if (a) __asm__ (\"lock; incl %0\" : \"+m\" (x)); else b();\n",
         "if (a) { raddle_rt_asm((const volatile void *)(&(x)), sizeof(x), 3); __asm__ (\"lock; incl %0\" "
         ": \"+m\" (x)); raddle_rt_asm_done(); } else b();\n"},
        {"void __VERIFIER_atomic_f(void); void f(void) { __VERIFIER_atomic_begin(); }\n", NULL},
        {"int *__VERIFIER_atomic_f(int (*g)(void))\n# 2 \"a.c\"\n__attribute__((unused)) { return 0; }\n",
         "int *__VERIFIER_atomic_f(int (*g)(void))\n# 2 \"a.c\"\n__attribute__((unused)) { "
         "__attribute__((unused, cleanup(raddle_rt_section_ends))) char raddle_section = "
         "raddle_rt_section_begins(); return 0; }\n"},
        {"asm volatile (\"mfence\" ::: \"memory\") ;\n",
         "{ __tsan_atomic_thread_fence(5); asm volatile (\"mfence\" ::: \"memory\") ; }\n"},
        {"asm(\"lock; incl 4(%0)\" :: \"r\"(p));\n",
         "{ raddle_rt_asm_unknown(); asm(\"lock; incl 4(%0)\" :: \"r\"(p)); raddle_rt_asm_done(); }\n"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        int found;
        const char *result = wrapped(all[i].text, &found);
        if (!found != !all[i].result)
            fail_msg("%s: %d statements", all[i].text, found);
        assert_string_equal(result, all[i].result ? all[i].result : all[i].text);
    }
}

static void notes_what_it_cannot_wrap(void **state)
{
    int found;
    const char *text = "# 1 \"a.c\"\nint x;\nasm(\"f: incl (%rdi); ret\");\n";
    struct sbuf out = {0};
    found = asm_text_instrument(&out, text, strlen(text), 0);
    assert_int_equal(found, 1);
    assert_non_null(strstr(sbuf_str(&out), "\n# 2 \"a.c\"\n __attribute__((constructor))"));
    sbuf_free(&out);
    text = "\t.globl f\nf:\n\tret\n";
    assert_int_equal(asm_text_note(&out, text, strlen(text), "a.s"), 0);
    text = "\t.globl f\nf:\n\tlock\n\tincl (%rdi)\n\tret\n";
    assert_int_equal(asm_text_note(&out, text, strlen(text), "a.s"), 1);
    assert_non_null(strstr(sbuf_str(&out), "raddle_rt_asm_linked"));
    sbuf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_what_a_statement_does),
        cmocka_unit_test(wraps_statements_and_only_these),
        cmocka_unit_test(notes_what_it_cannot_wrap),
    };
    return cmocka_run_group_tests_name("asm", tests, NULL, NULL);
}
