/* Text that is none: what is shown of it in JSON and HTML is valid and harmless. */
#include "base/sbuf.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void decodes(void **state)
{
    static const struct {
        const char *bytes;
        uint32_t c;
        int taken;
    } cases[] = {
        {"a", 'a', 1},
        {"\xc3\xa9", 0xe9, 2},
        {"\xe2\x82\xac", 0x20ac, 3},
        {"\xf0\x9f\x98\x80", 0x1f600, 4},
        {"\xc0\xaf", UTF8_BAD, 1},         /* overlong */
        {"\xe0\x80\xaf", UTF8_BAD, 1},     /* overlong */
        {"\xed\xa0\x80", UTF8_BAD, 1},     /* a surrogate */
        {"\xf4\x90\x80\x80", UTF8_BAD, 1}, /* beyond Unicode */
        {"\xe2\x82", UTF8_BAD, 1},         /* cut */
        {"\x80", UTF8_BAD, 1},
        {"\xff", UTF8_BAD, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *s = cases[i].bytes;
        assert_int_equal(utf8_next(&s), cases[i].c);
        assert_int_equal(s - cases[i].bytes, cases[i].taken);
    }
}

static void check(void (*put)(struct sbuf *, const char *), const char *in, const char *want)
{
    struct sbuf b = {0};
    put(&b, in);
    assert_string_equal(sbuf_str(&b), want);
    sbuf_free(&b);
}

static void harmless(void **state)
{
    check(sbuf_html, "<a href='x'>&\"", "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
    check(sbuf_html, "a\x1b[31mb\xff", "a&#x241b;[31mb\xef\xbf\xbd");
    check(sbuf_html, "x\xe2\x80\xaey", "x⟨U+202E⟩y");
    check(sbuf_html, "tab\tline\n", "tab\tline\n");
    check(sbuf_json, "a\"\\\n\x01\xff", "\"a\\\"\\\\\\n\\u0001\xef\xbf\xbd\"");
    check(sbuf_json, "x\xe2\x80\xaey", "\"x\\u202ey\"");
    check(sbuf_json, "\xc3\xa9", "\"\xc3\xa9\"");
}

/* Every two bytes: the output is valid UTF-8 without control characters. */
static void all_pairs(void **state)
{
    for (int i = 0; i < 256 * 256; i++) {
        char in[3] = {(char)(i >> 8), (char)i, 0};
        for (int html = 0; html < 2; html++) {
            struct sbuf b = {0};
            (html ? sbuf_html : sbuf_json)(&b, in);
            for (const char *s = sbuf_str(&b); *s;) {
                uint32_t c = utf8_next(&s);
                assert_true(c != UTF8_BAD && !utf8_is_control(c));
            }
            sbuf_free(&b);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes),
        cmocka_unit_test(harmless),
        cmocka_unit_test(all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
