/* atomic wait and notify: of the word itself, and of a type that is not a futex. */
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> turn{0};
std::atomic<bool> open{false};
int data;

int main()
{
    std::thread t([] {
        data = 1;
        turn = 1;
        turn.notify_one();
        open.wait(false);
        assert(data == 2);
    });
    turn.wait(0);
    assert(data == 1);
    data = 2;
    open = true;
    open.notify_all();
    t.join();
}
