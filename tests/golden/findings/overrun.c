/* run: --engine icb */
#include <pthread.h>
#include <stdlib.h>
struct ring {
    unsigned used;
    int item[4];
};
static struct ring *r;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_full(void)
{
    pthread_mutex_lock(&lock);
    int full = r->used == 4;
    pthread_mutex_unlock(&lock);
    return full;
}
static void *add(void *value)
{
    if (is_full()) /* CHANGE */
        return NULL;
    pthread_mutex_lock(&lock);
    r->item[r->used++] = *(int *)value;
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void)
{
    pthread_t t;
    int one = 1, two = 2;
    r = calloc(1, sizeof *r);
    r->used = 3;
    pthread_create(&t, NULL, add, &one);
    add(&two);
    pthread_join(t, NULL);
    free(r);
}
