// Cancellation and pthread_exit unwind the stack: destructors run, catch (...) must go on.
#include <cassert>
#include <cxxabi.h>
#include <pthread.h>
#include <semaphore.h>

static int destroyed, caught;
static sem_t never;

struct guard {
    ~guard() { destroyed++; }
};

static void inner(bool leave)
{
    guard g;
    if (leave)
        pthread_exit(nullptr);
    sem_wait(&never);
}

static void *work(void *arg)
{
    guard outer;
    try {
        inner(arg != nullptr);
    } catch (abi::__forced_unwind &) {
        caught++;
        throw;
    }
    return nullptr;
}

int main()
{
    pthread_t t;
    void *r;
    sem_init(&never, 0, 0);
    pthread_create(&t, nullptr, work, nullptr);
    pthread_cancel(t);
    pthread_join(t, &r);
    assert(r == PTHREAD_CANCELED && destroyed == 2 && caught == 1);
    pthread_create(&t, nullptr, work, &t);
    pthread_join(t, &r);
    assert(r == nullptr && destroyed == 4 && caught == 2);
}
