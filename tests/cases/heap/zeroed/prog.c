#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Many blocks, reused ones among them; calloc gives zeros; a request that is too large fails. */
static void *work(void *arg)
{
    char *kept[8] = {0};
    for (int i = 0; i < 400; i++) {
        size_t n = (size_t)(i * 37 % 3000);
        char **p = &kept[i % 8];
        free(*p);
        *p = calloc(n + 1, 1);
        for (size_t k = 0; k <= n; k += 31)
            assert((*p)[k] == 0);
        memset(*p, 0xff, n + 1);
        *p = realloc(*p, n / 2 + 1);
        assert((*p)[n / 2] == (char)0xff);
    }
    for (int i = 0; i < 8; i++)
        free(kept[i]);
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *aligned;
    volatile size_t much = SIZE_MAX / 2;
    assert(!malloc(much));
    assert(posix_memalign(&aligned, 256, 10) == 0 && (uintptr_t)aligned % 256 == 0);
    free(aligned);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
