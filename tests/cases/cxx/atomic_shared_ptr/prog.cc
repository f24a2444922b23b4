// A shared pointer that one thread stores and another loads: right, although libstdc++'s own lock is by
// the letter not enough to order its accesses.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> p;

int main()
{
    p.store(std::make_shared<int>(1));
    std::thread t([] { p.store(std::make_shared<int>(2)); });
    auto q = p.load();
    assert(*q == 1 || *q == 2);
    t.join();
    assert(*p.load() == 2);
}
