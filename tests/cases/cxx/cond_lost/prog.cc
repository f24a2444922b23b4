/* The wait does not look at the condition first: the wake-up can come too early. */
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable cv;

int main()
{
    std::thread t([] {
        std::unique_lock<std::mutex> l(m);
        cv.wait(l); // BUG
    });
    {
        std::lock_guard<std::mutex> g(m);
        cv.notify_one();
    }
    t.join();
}
