/* run: --engine icb */
#include <mutex>
#include <thread>
#include <vector>
static std::vector<int> prices{1, 2, 3};
static std::mutex lock;
static int *cheapest()
{
    std::lock_guard<std::mutex> guard(lock);
    return &prices[0]; // CHANGE
}
int main()
{
    std::thread grows([] {
        std::lock_guard<std::mutex> guard(lock);
        prices.push_back(4);
    });
    int *p = cheapest();
    int price = *p;
    grows.join();
    return price != 1;
}
