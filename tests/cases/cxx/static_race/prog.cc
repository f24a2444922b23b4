/* What the static variable holds is not protected by its guard. */
#include <thread>

static int &get()
{
    static int *p = new int(0);
    return *p;
}

int main()
{
    std::thread t([] { get()++; });
    get()++; // BUG
    t.join();
}
