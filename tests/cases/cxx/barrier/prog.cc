/* std::barrier with a completion function. */
#include <barrier>
#include <cassert>
#include <thread>

int sum, phases;

int main()
{
    auto done = []() noexcept { phases++; };
    std::barrier<decltype(done)> b(2, done);
    int mine[2] = {0, 0};
    std::thread t([&] {
        mine[1] = 1;
        b.arrive_and_wait();
        assert(mine[0] == 1);
    });
    mine[0] = 1;
    b.arrive_and_wait();
    assert(mine[1] == 1);
    t.join();
    assert(phases == 1);
}
