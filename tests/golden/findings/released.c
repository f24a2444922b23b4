#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
struct session { atomic_int refs; char name[24]; int hits; };
static struct session *open_session(const char *name)
{
    struct session *s = calloc(1, sizeof *s);
    strcpy(s->name, name);
    s->refs = 1;
    return s;
}
static void release(struct session *s)
{
    if (atomic_fetch_sub(&s->refs, 1) == 1)
        free(s);
}
static void *worker(void *p)
{
    struct session *s = p;
    atomic_fetch_add(&s->refs, 1); /* CHANGE */
    s->hits++;
    release(s);
    return NULL;
}
int main(void)
{
    pthread_t t;
    struct session *s = open_session("alice");
    pthread_create(&t, NULL, worker, s);
    release(s);
    pthread_join(t, NULL);
    return 0;
}
