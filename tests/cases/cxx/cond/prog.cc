/* A bounded queue with condition variables, used by std::jthread. */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

std::mutex m;
std::condition_variable cv;
std::queue<int> q;

int main()
{
    int sum = 0;
    {
        std::jthread producer([] {
            for (int i = 1; i <= 2; i++) {
                std::lock_guard<std::mutex> g(m);
                q.push(i);
                cv.notify_one();
            }
        });
        std::jthread consumer([&] {
            for (int i = 0; i < 2; i++) {
                std::unique_lock<std::mutex> l(m);
                cv.wait(l, [] { return !q.empty(); });
                sum += q.front();
                q.pop();
            }
        });
    }
    assert(sum == 3);
}
