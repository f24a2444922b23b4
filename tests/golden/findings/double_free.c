#include <pthread.h>
#include <stdlib.h>
struct conn { char *buffer; int fd; };
static struct conn c;
static void close_conn(struct conn *c)
{
    if (c->buffer) {
        free(c->buffer); /* CHANGE */
        c->buffer = NULL;
    }
}
static void *closer(void *p) { close_conn(&c); return NULL; }
int main(void)
{
    pthread_t t;
    c.buffer = malloc(100);
    pthread_create(&t, 0, closer, 0);
    close_conn(&c);
    pthread_join(t, 0);
}
