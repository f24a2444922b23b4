#include <pthread.h>
#include <stdlib.h>
struct account { pthread_mutex_t m; long balance; };
static struct account acc[3];
static void transfer(struct account *from, struct account *to, long n)
{
    pthread_mutex_lock(&from->m);
    pthread_mutex_lock(&to->m); /* CHANGE */
    from->balance -= n;
    to->balance += n;
    pthread_mutex_unlock(&to->m);
    pthread_mutex_unlock(&from->m);
}
static void *a(void *p) { transfer(&acc[0], &acc[1], 5); return NULL; }
static void *b(void *p) { transfer(&acc[1], &acc[2], 5); return NULL; }
static void *c(void *p) { transfer(&acc[2], &acc[0], 5); return NULL; }
int main(void)
{
    pthread_t t[3];
    void *(*f[3])(void *) = {a, b, c};
    for (int i = 0; i < 3; i++) pthread_mutex_init(&acc[i].m, 0);
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, f[i], 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
}
