// Who runs a callback: the thread that asks to stop or, if it asked before, the one that registers it. That
// the other one only goes round its loop is learnt while the search is under way.
#include <atomic>
#include <cassert>
#include <pthread.h>
#include <stop_token>
#include <thread>

int main()
{
    std::stop_source source;
    std::atomic<int> done{0};
    pthread_t asks = pthread_self();
    std::thread t([&] {
        std::stop_callback call(source.get_token(), [&] {
            done = 1;
            assert(pthread_equal(pthread_self(), asks)); // WRONG
        });
        while (!done)
            std::this_thread::yield();
    });
    source.request_stop();
    t.join();
}
