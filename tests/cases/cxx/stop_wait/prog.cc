// A wait that a request to stop ends: whichever comes first. The lock of a stop_state is one that spins,
// with its memory orders as arguments.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main()
{
    std::mutex m;
    std::condition_variable_any c;
    bool ready = false, came = false;
    {
        std::jthread t([&](std::stop_token s) {
            std::unique_lock l(m);
            came = c.wait(l, s, [&] { return ready; });
            assert(!came || ready);
        });
        std::thread stopper([&] { t.request_stop(); });
        {
            std::lock_guard g(m);
            ready = true;
        }
        c.notify_all();
        stopper.join();
    }
    assert(came); // BUG
}
