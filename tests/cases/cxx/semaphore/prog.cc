/* counting_semaphore, latch and barrier of C++20. */
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

std::binary_semaphore items{0};
std::latch started{2};
int value;

int main()
{
    std::thread t([] {
        started.arrive_and_wait();
        value = 5;
        items.release();
    });
    started.arrive_and_wait();
    items.acquire();
    assert(value == 5);
    t.join();
}
