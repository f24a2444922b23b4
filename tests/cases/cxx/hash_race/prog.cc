/* The hash of a std::string is computed by the library, which reads its characters. */
#include <functional>
#include <string>
#include <thread>

std::string text("rather a long text, not kept inside");

int main()
{
    std::thread t([] { text[3] = 'x'; });
    size_t n = std::hash<std::string>()(text); /* BUG */
    t.join();
    return n == 0;
}
