/* Destructors of globals: after main, in reverse order, in every execution; then the functions with the
 * destructor attribute. A wrong order ends in abort(). */
#include <cstdlib>
#include <thread>

static int stage;
struct G {
    int order;
    G(int n) : order(n) {}
    ~G()
    {
        if (stage++ != order)
            std::abort();
    }
};
static G last(1), first(0);

__attribute__((destructor)) static void end()
{
    if (stage != 2)
        std::abort();
    stage = 9;
}

int main()
{
    std::thread a([] {}), b([] {});
    a.join();
    b.join();
}
