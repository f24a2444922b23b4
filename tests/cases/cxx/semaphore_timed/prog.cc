/* A wait with a time limit can fail. */
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

std::counting_semaphore<4> s{0};

int main()
{
    std::thread t([] { s.release(); });
    bool got = s.try_acquire_for(std::chrono::milliseconds(100));
    t.join();
    assert(got); // BUG
}
