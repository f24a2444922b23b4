/* Every kind of mutex. */
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::recursive_mutex r;
std::timed_mutex t;
std::shared_mutex s;
std::shared_timed_mutex st;
int a, b, c;

static void work()
{
    {
        std::lock_guard<std::recursive_mutex> g(r);
        std::lock_guard<std::recursive_mutex> h(r);
        a++;
    }
    if (t.try_lock_for(std::chrono::milliseconds(1))) {
        b++;
        t.unlock();
    }
    {
        std::shared_lock<std::shared_mutex> g(s);
        assert(c >= 0);
    }
    std::unique_lock<std::shared_mutex> g(s);
    c++;
}

int main()
{
    std::thread one(work);
    one.join();
    std::thread two(work), three([] {
        std::scoped_lock l(r, t);
        a++;
        b++;
        if (st.try_lock_shared_for(std::chrono::seconds(1)))
            st.unlock_shared();
    });
    two.join();
    three.join();
    assert(a == 3 && b >= 2 && c == 2);
}
