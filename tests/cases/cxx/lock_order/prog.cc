/* lock() of two mutexes one after the other in different orders. */
#include <mutex>
#include <thread>

std::mutex a, b;

int main()
{
    std::thread t([] {
        std::lock_guard<std::mutex> g(a);
        std::lock_guard<std::mutex> h(b);
    });
    std::lock_guard<std::mutex> g(b);
    std::lock_guard<std::mutex> h(a); // BUG
    t.detach();
}
