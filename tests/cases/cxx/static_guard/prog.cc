/* A static variable inside a function: initialised once, seen by both. */
#include <atomic>
#include <cassert>
#include <thread>

static int made;
struct S {
    int v;
    S() : v(7) { made++; }
};

static S &get()
{
    static S s;
    return s;
}

int main()
{
    std::thread t([] { assert(get().v == 7); });
    assert(get().v == 7);
    t.join();
    assert(made == 1);
}
