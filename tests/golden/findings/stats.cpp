#include <atomic>
#include <thread>
#include <vector>
#include <memory>
#include <mutex>
#include <cassert>
struct Stats { std::atomic<int> seen{0}; int sum = 0; std::mutex m; };
int main()
{
    auto s = std::make_unique<Stats>();
    std::vector<std::thread> ts;
    for (int i = 0; i < 2; i++)
        ts.emplace_back([&s, i] {
            int n = s->seen.load();
            s->seen.store(n + 1); // CHANGE
            s->sum += i;
        });
    for (auto &t : ts)
        t.join();
    assert(s->seen == 2);
}
