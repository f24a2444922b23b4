/* A std::thread that is destroyed while it is joinable ends the program. */
#include <thread>

int main()
{
    std::thread t([] {});
} // BUG
