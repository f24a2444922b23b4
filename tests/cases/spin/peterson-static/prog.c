/* Peterson's lock in one function, with a static variable that it always writes first: it stays one
 * variable for both threads, as with every compiler but clang. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;
static int inside;

static void *work(void *argument)
{
    int i = (int)(long)argument;
    flag[i] = 1;
    turn = 1 - i;
    while (flag[1 - i] && turn == 1 - i)
        ;
    inside++;
    inside--;
    flag[i] = 0;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, work, (void *)0);
    pthread_create(&two, NULL, work, (void *)1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
