/* Two threads handle the same exception; the last one to let go destroys it. */
#include <cassert>
#include <exception>
#include <stdexcept>
#include <thread>

struct E {
    int code;
};

static void handle(std::exception_ptr p)
{
    try {
        std::rethrow_exception(p);
    } catch (const E &e) {
        assert(e.code == 3);
    }
}

int main()
{
    std::exception_ptr p = std::make_exception_ptr(E{3});
    std::thread a(handle, p), b(handle, p);
    p = nullptr;
    a.join();
    b.join();
}
