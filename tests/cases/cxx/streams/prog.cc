/* Streams as several threads may use them: the standard ones all at once, their own, shared ones under
 * a lock. */
#include <cassert>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::mutex lock;
std::stringstream shared;

static void work(int n)
{
    std::ostringstream own;
    own << "n" << n << ' ' << 1.5;
    std::cout << own.str() << std::endl;
    std::clog << n;
    std::lock_guard<std::mutex> held(lock);
    shared << own.str() << '\n';
}

int main()
{
    std::thread one(work, 1), two(work, 2);
    one.join();
    two.join();
    std::string first, second;
    assert(std::getline(shared, first) && std::getline(shared, second));
    assert(first.size() == 6 && second.size() == 6 && first != second);
}
