/* One thread moves an element of a std::list to the front while another goes through it: who the
 * neighbours of an element are is changed by a function of the library. */
#include <iterator>
#include <list>
#include <thread>

std::list<int> numbers{1, 2, 3};

int main()
{
    std::thread t([] { numbers.splice(numbers.begin(), numbers, std::prev(numbers.end())); });
    int sum = 0;
    for (int n : numbers)
        sum += n;
    t.join();
    return sum == 0;
}
