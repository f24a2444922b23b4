/* Two threads talk through a variable on main's stack, for ever. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>

struct talk {
    sem_t said, heard;
    int word;
};

static void *say(void *arg)
{
    struct talk *talk = arg;
    for (int n = 0;; n = (n + 1) % 3) {
        talk->word = n;
        sem_post(&talk->said);
        sem_wait(&talk->heard);
    }
}

static void *hear(void *arg)
{
    struct talk *talk = arg;
    for (int n = 0;; n = (n + 1) % ROUND) {
        sem_wait(&talk->said);
        assert(talk->word == n); /* BUG */
        sem_post(&talk->heard);
    }
}

int main(void)
{
    struct talk talk = {.word = 0};
    pthread_t t[2];
    sem_init(&talk.said, 0, 0);
    sem_init(&talk.heard, 0, 0);
    pthread_create(&t[0], NULL, say, &talk);
    pthread_create(&t[1], NULL, hear, &talk);
    pthread_join(t[0], NULL);
}
