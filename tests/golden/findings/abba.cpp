/* run: --engine icb */
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
struct Account {
    std::mutex lock;
    long balance = 100;
};
static void transfer(Account &from, Account &to, long amount)
{
    std::lock_guard<std::mutex> first(from.lock);
    std::lock_guard<std::mutex> second(to.lock); // CHANGE
    from.balance -= amount;
    to.balance += amount;
}
int main()
{
    auto a = std::make_unique<Account>(), b = std::make_unique<Account>();
    std::vector<std::thread> all;
    all.emplace_back([&] { transfer(*a, *b, 10); });
    all.emplace_back([&] { transfer(*b, *a, 20); });
    for (auto &t : all)
        t.join();
}
