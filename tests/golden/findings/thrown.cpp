/* run: --engine icb */
#include <map>
#include <mutex>
#include <string>
#include <thread>
static std::map<std::string, int> settings{{"depth", 3}};
static std::mutex lock;
static bool has(const std::string &name)
{
    std::lock_guard<std::mutex> guard(lock);
    return settings.count(name) > 0;
}
static int depth()
{
    if (!has("depth")) // CHANGE
        return 0;
    std::lock_guard<std::mutex> guard(lock);
    return settings.at("depth");
}
int main()
{
    std::thread t([] {
        std::lock_guard<std::mutex> guard(lock);
        settings.clear();
    });
    int d = depth();
    t.join();
    return d > 3;
}
