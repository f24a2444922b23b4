/* Locales and time zones: of the process and of a thread, as in a first run every time. */
#define _GNU_SOURCE
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

static atomic_int x;

static void *work(void *arg)
{
    locale_t l = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    if (l)
        uselocale(l);
    wchar_t c = 0;
    mbstate_t s = {0};
    if (l)
        assert(mbrtowc(&c, "\xc3\xa4", 2, &s) == 2 && c == 0xe4);
    atomic_fetch_add(&x, 1);
    sigjmp_buf here;
    if (sigsetjmp(here, 1) == 0)
        siglongjmp(here, 1);
    uselocale(LC_GLOBAL_LOCALE);
    if (l)
        freelocale(l);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct tm tm;
    time_t then = 86400 * 200;
    char text[64];
    assert(!strcmp(setlocale(LC_CTYPE, NULL), "C"));
    assert(!getenv("TZ") || strcmp(getenv("TZ"), "XYZ-5"));
    setlocale(LC_ALL, "C.UTF-8");
    pthread_create(&t, NULL, work, NULL);
    setenv("TZ", "XYZ-5", 1);
    tzset();
    assert(localtime_r(&then, &tm)->tm_hour == 5 && !strcmp(tzname[0], "XYZ"));
    assert(mktime(&tm) == then && strftime(text, sizeof text, "%Z %A", &tm) > 0);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
