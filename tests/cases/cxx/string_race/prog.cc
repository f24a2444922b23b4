/* A std::string is appended to by two threads. */
#include <string>
#include <thread>

std::string text;

int main()
{
    std::thread t([] { text += "abc"; });
    text += "def";
    t.join();
}
