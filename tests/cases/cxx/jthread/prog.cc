/* jthread joins by itself; a stop token ends a loop and a wait, and its callback runs once. */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex m;
static std::condition_variable_any c;
static int ended, called;

int main()
{
    {
        std::jthread waits([](std::stop_token s) {
            std::unique_lock<std::mutex> l(m);
            bool ready = c.wait(l, s, [] { return false; });
            assert(!ready && s.stop_requested());
            ended++;
        });
        std::stop_callback on_stop(waits.get_stop_token(), [] { called++; });
        assert(waits.joinable());
        waits.request_stop();
        assert(called == 1 && !waits.request_stop());
    }
    std::jthread quick([] { ended += 10; });
    quick.join();
    assert(ended == 11);
}
