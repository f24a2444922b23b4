#include <pthread.h>
#include <assert.h>
struct job { int *total; int n; };
static void *add(void *p)
{
    struct job *j = p;
    for (int i = 0; i < j->n; i++)
        ++*j->total; /* CHANGE */
    return NULL;
}
int main(void)
{
    int total = 0;
    struct job jobs[2] = {{&total, 2}, {&total, 2}};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, &jobs[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(total == 4);
    return 0;
}
