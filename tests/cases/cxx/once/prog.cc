/* call_once, also when the first attempt throws. */
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag flag;
int calls, data;

static void init()
{
    if (calls++ == 0)
        throw 1;
    data = 7;
}

static void use()
{
    try {
        std::call_once(flag, init);
        assert(data == 7);
    } catch (int) {
        std::call_once(flag, init);
        assert(data == 7);
    }
}

int main()
{
    std::thread t(use);
    use();
    t.join();
    assert(calls == 2);
}
