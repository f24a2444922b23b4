#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#ifndef TAKE
#define TAKE munmap(page, 4096)
#endif
static char *page;
static void *use(void *a)
{
    (void)a;
    page[10] = 1; /* USE */
    return 0;
}
static void *take(void *a)
{
    (void)a;
    TAKE; /* TAKE */
    return 0;
}
int main(void)
{
    pthread_t t, u;
    page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, 0, use, 0);
#ifdef ORDERED
    pthread_join(t, 0);
    pthread_create(&u, 0, take, 0);
#else
    pthread_create(&u, 0, take, 0);
    pthread_join(t, 0);
#endif
    pthread_join(u, 0);
}
