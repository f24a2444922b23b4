#include <condition_variable>
#include <mutex>
#include <thread>
#include <deque>
#include <cstdio>
template <class T> class Channel {
    std::mutex m; std::condition_variable cv; std::deque<T> q; bool closed = false;
public:
    void send(T v) { { std::lock_guard<std::mutex> g(m); q.push_back(v); } cv.notify_one(); }
    void close() { closed = true; cv.notify_one(); } // CHANGE
    bool receive(T &out) {
        std::unique_lock<std::mutex> g(m);
        while (q.empty() && !closed) cv.wait(g);
        if (q.empty()) return false;
        out = q.front(); q.pop_front(); return true;
    }
};
int main()
{
    Channel<int> ch;
    auto eat = [&] { int v; while (ch.receive(v)) std::printf("got %d\n", v); };
    std::thread a(eat), b(eat);
    ch.send(1);
    ch.close();
    a.join(); b.join();
}
