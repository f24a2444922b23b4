#include "config.h"

#include <cstdio>
#include <string>
#include <thread>

#if !CAN_COMPILE || !CAN_LINK || !CAN_RUN || LINKS_ANYTHING || HAVE_NO_SUCH_HEADER_H || \
    HAVE_NO_SUCH_FUNCTION || !HAVE_STDATOMIC_H || !HAVE_PTHREAD_CREATE || SIZEOF_LONG != 8
#error a feature test gave the wrong answer
#endif

std::string greeting();

int main()
{
    std::thread t([] { std::puts(greeting().c_str()); });
    t.join();
}
