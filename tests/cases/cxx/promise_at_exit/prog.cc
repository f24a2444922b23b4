// The result is made ready at the end of the thread, in the C++ library: that orders what was before it.
#include <cassert>
#include <future>
#include <thread>

static int data;

int main()
{
    std::promise<int> p;
    std::future<int> f = p.get_future();
    std::thread t([&] {
        p.set_value_at_thread_exit(7);
        data = 1;
    });
    int v = f.get();
    assert(v == 7 && data == 1);
    t.join();
}
