/* The destructor of a global runs while a detached thread may still use it: found at the end. */
#include <cassert>
#include <cstdlib>

__attribute__((destructor)) static void end()
{
    std::abort(); // BUG
}

int main()
{
}
