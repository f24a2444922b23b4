// Spin locks of std::atomic_flag and std::atomic: without optimisation each operation is a switch over
// its memory order.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef EXCHANGE
static std::atomic<bool> taken{false};

static void lock()
{
    int delay = 1;
    while (taken.exchange(true, std::memory_order_acquire)) {
        for (int i = 0; i < delay; i++)
            __builtin_ia32_pause();
        delay *= 2;
    }
}

static void unlock()
{
    taken.store(false, std::memory_order_release);
}
#else
static std::atomic_flag taken = ATOMIC_FLAG_INIT;

static void lock()
{
    while (taken.test_and_set(std::memory_order_acquire))
        std::this_thread::yield();
}

static void unlock()
{
    taken.clear(std::memory_order_release);
}
#endif

static int count;

static void work()
{
    lock();
    count++;
    unlock();
}

int main()
{
    std::thread a(work), b(work), c(work);
    a.join();
    b.join();
    c.join();
    assert(count == 3);
}
