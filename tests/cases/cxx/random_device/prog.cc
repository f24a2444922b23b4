// std::random_device draws from the seed: the operations that follow are the same in every execution.
#include <atomic>
#include <random>
#include <thread>

static std::atomic<int> even, odd;

int main()
{
    std::random_device device;
    for (int i = 0; i < 24; i++)
        device() & 1 ? odd++ : even++;
    std::thread t([] { even++; });
    even++;
    t.join();
}
