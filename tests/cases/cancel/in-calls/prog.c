/* Calls that do not wait are cancellation points all the same: close, open, write, fsync. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int went_on;
static int ends[2];

static void *calls(void *arg)
{
#if CALL == 0
    close(ends[0]);
#elif CALL == 1
    open("/dev/null", O_RDONLY);
#elif CALL == 2
    write(STDOUT_FILENO, "", 0);
#else
    fsync(STDOUT_FILENO);
#endif
    went_on = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *result;
    pipe(ends);
    pthread_create(&t, NULL, calls, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
#ifdef CANCELLED
    assert(result != PTHREAD_CANCELED); /* BUG */
#else
    assert(!went_on); /* WENT_ON */
#endif
    return 0;
}
