/* A static member is no part of the object: what races is the first one that is. */
#include <thread>

struct account {
    static const int limit = 3;
    int balance;
};

account shared;

int main()
{
    std::thread t([] { shared.balance = account::limit; });
    shared.balance = 2; /* BUG */
    t.join();
}
