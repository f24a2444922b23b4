/* Resources of std::pmr that are meant for one thread, used by two. */
#include <cstring>
#include <memory_resource>
#include <thread>

std::pmr::monotonic_buffer_resource arena;
std::pmr::unsynchronized_pool_resource pool;

int main(int argc, char **argv)
{
    std::pmr::memory_resource *r = &arena;
    if (argc > 1 && !strcmp(argv[1], "pool"))
        r = &pool;
    auto work = [r] { r->deallocate(r->allocate(8), 8); };
    std::thread t(work);
    work();
    t.join();
}
