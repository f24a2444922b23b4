// Inputs in what a thread is given, in a map, in a list, and in what is thrown.
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <raddle.h>
#include <thread>

struct refused {
    int amount;
};

static std::mutex mutex;
static std::condition_variable changed;
static std::map<int, int> balances;
static std::list<int> orders;
static bool ready;

static int take(int account, int amount)
{
    auto it = balances.find(account);
    if (it == balances.end() || it->second < amount)
        throw refused{amount};
    return it->second -= amount;
}

static void serve(int amount)
{
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return ready; });
    try {
        orders.push_back(take(1, amount));
    } catch (const refused &r) {
        orders.push_front(-r.amount);
    }
}

int main()
{
    int account = raddle_input_int("account", 0, 2), amount = raddle_input_int("amount", 1, 9);
    balances[account] = 5;
    balances[2] += 1;
    std::thread t(serve, amount);
    {
        std::lock_guard<std::mutex> lock(mutex);
        ready = true;
        changed.notify_one();
    }
    t.join();
#ifdef RIGHT
    raddle_assert(orders.front() < 0 ? account != 1 || amount > 5 : orders.front() == 5 - amount);
#else
    raddle_assert(orders.front() != 2); // BUG
#endif
    return 0;
}
