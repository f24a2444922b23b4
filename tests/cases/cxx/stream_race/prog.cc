/* Two threads write to one std::ostringstream, which only the standard streams allow. */
#include <sstream>
#include <thread>

std::ostringstream text;

int main()
{
    std::thread t([] { text << 1 << "one"; });
    text << "two"; /* BUG */
    t.join();
}
