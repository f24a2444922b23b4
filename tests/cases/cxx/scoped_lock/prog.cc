// Two threads lock the same two mutexes in opposite order with std::scoped_lock, which tries and backs
// off: no deadlock, but both can be unlucky any number of times.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int x;

int main()
{
    std::thread t([] {
        std::scoped_lock both(a, b);
        x++;
    });
    {
        std::scoped_lock both(b, a);
        x++;
    }
    t.join();
    assert(x == 2);
}
