// A recursive mutex is unlocked by a thread that does not hold it, if the other one comes first.
#include <atomic>
#include <mutex>
#include <thread>

static std::recursive_mutex m;
static std::atomic<bool> first;

int main()
{
    std::thread t([] {
        if (first.exchange(true))
            m.unlock(); // BUG
    });
    m.lock();
    m.lock();
    bool mine = !first.exchange(true);
    t.join();
    m.unlock();
    m.unlock();
    return mine && false;
}
