/* After the description of Updater in the thesis (section 8.1): some threads update values in
 * shared memory, under two locks, with inputs; others read them and do work that depends on what
 * they read. With -DCHOOSE the inputs are choices, one value for each class: the same number of
 * executions. */
#include <pthread.h>
#include <raddle.h>

#ifdef CHOOSE
#define INPUT(name, low, high, cut) (raddle_choose(2) ? (cut) : (low))
#else
#define INPUT(name, low, high, cut) raddle_input_int(name, low, high)
#endif

static pthread_mutex_t lock_x = PTHREAD_MUTEX_INITIALIZER, lock_y = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *update_x(void *unused)
{
    int in = INPUT("dx", 0, 100, 60);
    if (in >= 60) {
        pthread_mutex_lock(&lock_x);
        x += 60;
        pthread_mutex_unlock(&lock_x);
    }
    return unused;
}

static void *update_y(void *unused)
{
    int in = INPUT("dy", -100, 100, 50);
    pthread_mutex_lock(&lock_y);
    if (in >= 50)
        y += 150;
    pthread_mutex_unlock(&lock_y);
    return unused;
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock_x);
    int a = x;
    pthread_mutex_unlock(&lock_x);
    pthread_mutex_lock(&lock_y);
    int b = y;
    pthread_mutex_unlock(&lock_y);
    if (a + b > 200) {
        pthread_mutex_lock(&lock_x);
        x -= 100;
        pthread_mutex_unlock(&lock_x);
    }
    return unused;
}

int main(void)
{
    void *(*const run[])(void *) = {update_x, update_y, worker, worker};
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, run[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    raddle_assert(x >= -200);
    return 0;
}
