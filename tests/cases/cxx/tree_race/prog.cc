/* A set is gone through while another thread takes an element out: going to the next node of the tree
 * and balancing it are functions of the library. */
#include <set>
#include <thread>

std::set<int> numbers{1, 2, 3, 4, 5};

int main()
{
    std::thread t([] { numbers.erase(4); });
    int sum = 0;
    for (auto n = numbers.rbegin(); n != numbers.rend(); ++n)
        sum += *n;
    t.join();
    return sum == 0;
}
