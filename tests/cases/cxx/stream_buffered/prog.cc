/* std::cout with a buffer of its own must not be used by two threads at once. */
#include <iostream>
#include <thread>

int main()
{
    std::ios::sync_with_stdio(false);
    std::thread t([] { std::cout << "one\n"; });
    std::cout << "two\n"; /* BUG */
    t.join();
}
