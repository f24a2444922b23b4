/* wait_for can find the value not yet there. */
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main()
{
    std::promise<int> p;
    auto f = p.get_future();
    std::thread t([&p] { p.set_value(3); });
    auto status = f.wait_for(std::chrono::seconds(1));
    t.join();
    assert(status == std::future_status::ready); // BUG
}
