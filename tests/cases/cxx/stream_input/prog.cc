/* One stream may be read by one thread at a time; what was read is written by the library. */
#include <sstream>
#include <string>
#include <thread>

std::istringstream one("1 2 3"), other("some words");
int number;
std::string word;

int main(int argc, char **argv)
{
    (void)argv;
    std::thread t([] { one >> number, std::getline(other, word); });
    int n = argc == 1 ? number : 0; /* BUG */
    t.join();
    return n == 7;
}
