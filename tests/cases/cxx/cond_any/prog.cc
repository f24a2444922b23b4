/* condition_variable_any with a shared_mutex, and a timed wait. */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;
std::condition_variable_any cv;
bool ready;

int main()
{
    std::thread t([] {
        std::shared_lock<std::shared_mutex> l(m);
        while (!ready)
            cv.wait(l);
    });
    {
        std::unique_lock<std::shared_mutex> g(m);
        ready = true;
    }
    cv.notify_all();
    t.join();
    std::unique_lock<std::shared_mutex> g(m);
    assert(cv.wait_for(g, std::chrono::milliseconds(1)) == std::cv_status::timeout);
}
