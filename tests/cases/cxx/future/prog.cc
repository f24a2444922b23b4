/* Promises, futures, async, packaged tasks; an exception that crosses threads. */
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

int main()
{
    std::promise<int> p;
    std::future<int> f = p.get_future();
    std::thread t([&p] { p.set_value(3); });
    assert(f.get() == 3);
    t.join();
    auto g = std::async(std::launch::async, []() -> std::string { throw std::runtime_error("no"); });
    try {
        g.get();
        assert(false);
    } catch (const std::runtime_error &e) {
        assert(std::string(e.what()) == "no");
    }
    std::packaged_task<int(int)> task([](int x) { return x + 1; });
    auto h = task.get_future();
    std::thread u(std::move(task), 4);
    u.join();
    assert(h.get() == 5);
}
