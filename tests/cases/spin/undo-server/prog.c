/* A server that is busy now and then, for ever. Its rounds put back what they change, but who waits for
 * it to be idle can find it so within each of them: nobody waits in vain. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy, asked, work;

static void *server(void *arg)
{
    for (;;) {
        atomic_store(&busy, 1);
        while (atomic_load(&asked))
            ;
        atomic_store(&work, 1);
        atomic_store(&busy, 0);
    }
    return arg;
}

static void *client(void *arg)
{
    for (;;) {
        atomic_store(&asked, 1);
        while (atomic_load(&busy)) {
            atomic_store(&asked, 0);
            while (atomic_load(&busy))
                ;
            atomic_store(&asked, 1);
        }
        atomic_store(&work, 2);
        atomic_store(&asked, 0);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, server, NULL);
    pthread_create(&b, NULL, client, NULL);
    return 0;
}
