/* Dining philosophers with the synchronization library: forks are semaphores, everybody takes the left
 * one first. Of the 2^n - 1 ways this can go, one is a deadlock:
 *
 *     raddle cc -g -o philosophers philosophers.c
 *     raddle run --engine reach ./philosophers 5
 *     raddle report --svg deadlock.svg --races
 *
 * Without raddle: cc -o philosophers philosophers.c -lraddle-sync -pthread */
#include <raddle/sync.h>
#include <stdlib.h>

enum { MOST = 16 };

static raddle_semaphore forks[MOST];
static int philosophers = 3;

static void *philosopher(void *arg)
{
    int left = (int)(long)arg, right = (left + 1) % philosophers;
    raddle_semaphore_wait(&forks[left]);
    raddle_semaphore_wait(&forks[right]);
    raddle_semaphore_post(&forks[left]);
    raddle_semaphore_post(&forks[right]);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[MOST];
    if (argc > 1)
        philosophers = atoi(argv[1]);
    if (philosophers < 2 || philosophers > MOST)
        return 64;
    for (int i = 0; i < philosophers; i++)
        raddle_semaphore_init(&forks[i], 1);
    for (int i = 0; i < philosophers; i++)
        pthread_create(&thread[i], NULL, philosopher, (void *)(long)i);
    for (int i = 0; i < philosophers; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
