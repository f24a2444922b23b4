/* thread_local with constructor and destructor: one per thread, destroyed when it ends. */
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

static std::atomic<int> alive, ended;
struct S {
    int v;
    S() : v(1) { alive++; }
    ~S()
    {
        alive--;
        ended++;
    }
};
thread_local S s;

static void at_end()
{
    if (alive != 0 || ended != 2)
        std::abort();
}

int main()
{
    std::atexit(at_end);
    std::thread t([] {
        s.v++;
        assert(s.v == 2);
    });
    t.join();
    assert(alive == 0 && ended == 1);
    assert(s.v == 1 && alive == 1);
}
