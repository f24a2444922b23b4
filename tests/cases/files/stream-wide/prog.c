/* Two threads take a wide character each from one stream. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <wchar.h>

static FILE *f;
static wint_t got[2];

static void *takes(void *arg)
{
    *(wint_t *)arg = fgetwc(f);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    f = tmpfile();
    fputws(L"ab", f);
    rewind(f);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, takes, &got[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    fclose(f);
    assert(got[0] == L'a'); /* BUG */
    return 0;
}
