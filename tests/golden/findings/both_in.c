/* run: --engine dfs --property "inside == 2" */
#include <pthread.h>
#include <stdatomic.h>
static int inside;
static atomic_int taken;
static pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER;
static void *enter(void *unused)
{
    if (atomic_load(&taken))
        return unused;
    atomic_store(&taken, 1);
    pthread_mutex_lock(&count);
    inside++;
    pthread_mutex_unlock(&count);
    pthread_mutex_lock(&count);
    inside--;
    pthread_mutex_unlock(&count);
    atomic_store(&taken, 0);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, enter, NULL);
    enter(NULL);
    pthread_join(t, NULL);
}
