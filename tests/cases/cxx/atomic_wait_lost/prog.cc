/* The notification is forgotten: the waiter sleeps for ever if it slept before the store. */
#include <atomic>
#include <thread>

std::atomic<int> turn{0};

int main()
{
    std::thread t([] { turn = 1; });
    turn.wait(0);
    t.join();
}
