/* Distributed mutual exclusion (Ricart and Agrawala): 3 processes of 2 threads each. */
#include <assert.h>
#include <raddle/sync.h>

struct request {
    int number, id;
};

static struct process {
    raddle_semaphore m;
    raddle_port requests, replies;
    int requesting, number, highest, deferred[3];
} all[3];
static int inside;

static void *helper(void *arg)
{
    struct process *p = arg;
    for (int i = 0; i < 2; i++) {
        struct request r;
        int id = (int)(p - all);
        raddle_port_receive(&p->requests, &r);
        raddle_semaphore_wait(&p->m);
        if (r.number > p->highest)
            p->highest = r.number;
        int defer = p->requesting &&
                    (p->number < r.number || (p->number == r.number && id < r.id));
        if (defer)
            p->deferred[r.id] = 1;
        raddle_semaphore_post(&p->m);
        if (!defer)
            raddle_port_send(&all[r.id].replies, &id);
    }
    return NULL;
}

static void *main_thread(void *arg)
{
    struct process *p = arg;
    int id = (int)(p - all), from;
    raddle_semaphore_wait(&p->m);
    p->requesting = 1;
    p->number = p->highest + 1;
    struct request r = {p->number, id};
    raddle_semaphore_post(&p->m);
    for (int i = 0; i < 3; i++)
        if (i != id)
            raddle_port_send(&all[i].requests, &r);
    for (int i = 0; i < 2; i++)
        raddle_port_receive(&p->replies, &from);
    assert(inside++ == 0);
    inside--;
    raddle_semaphore_wait(&p->m);
    p->requesting = 0;
    raddle_semaphore_post(&p->m);
    for (int i = 0; i < 3; i++)
        if (p->deferred[i])
            raddle_port_send(&all[i].replies, &id);
    return NULL;
}

int main(void)
{
    pthread_t t[6];
    for (int i = 0; i < 3; i++) {
        raddle_semaphore_init(&all[i].m, 1);
        raddle_port_init(&all[i].requests, sizeof(struct request), RADDLE_FIFO, 0);
        raddle_port_init(&all[i].replies, sizeof(int), RADDLE_FIFO, 0);
        raddle_port_uniform(&all[i].replies);
    }
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], NULL, i % 2 ? helper : main_thread, &all[i / 2]);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    return 0;
}
