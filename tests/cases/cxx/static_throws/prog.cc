/* The constructor throws for the first thread; the other one initialises. */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> tries;
struct S {
    S()
    {
        if (tries++ == 0)
            throw 1;
    }
};

static int use()
{
    try {
        static S s;
        return 1;
    } catch (int) {
        return 0;
    }
}

int main()
{
    int a = 0;
    std::thread t([&a] { a = use(); });
    int b = use();
    t.join();
    assert(a + b == 1);
    assert(use() == 1 && tries == 2);
}
