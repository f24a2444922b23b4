/* The reference count of shared_ptr is atomic; the last owner destroys. */
#include <cassert>
#include <memory>
#include <thread>

static int destroyed;
struct S {
    int v = 4;
    ~S() { destroyed++; }
};

int main()
{
    auto p = std::make_shared<S>();
    std::thread t([q = p] { assert(q->v == 4); });
    p.reset();
    t.join();
    assert(destroyed == 1);
}
