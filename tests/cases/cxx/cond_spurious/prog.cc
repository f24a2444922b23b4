// wait_for without a predicate may return no_timeout though nobody notified; with one it may not.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main(int argc, char **)
{
    std::mutex m;
    std::condition_variable c;
    bool ready = false;
    std::thread t([&] {
        std::lock_guard<std::mutex> hold(m);
        ready = true;
        c.notify_one();
    });
    {
        using namespace std::chrono_literals;
        std::unique_lock<std::mutex> hold(m);
        if (argc > 1)
            assert(!c.wait_for(hold, 1s, [&] { return ready; }) || ready);
        else if (!ready && c.wait_for(hold, 1s) == std::cv_status::no_timeout)
            assert(ready); // BUG
    }
    t.join();
}
