/* Nobody catches it, if the flag is seen too early. */
#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<int> ready;

int main()
{
    std::thread t([] {
        if (!ready)
            throw std::logic_error("not ready"); // BUG
    });
    ready = 1;
    t.join();
}
