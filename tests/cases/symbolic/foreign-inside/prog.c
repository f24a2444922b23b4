/* What a library function reads through a pointer in what it is given is not followed. */
#include <raddle.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
    char text[4];
    struct iovec part = {text, sizeof text};
    raddle_input(text, sizeof text, "text");
    return writev(-1, &part, 1) == 0;
}
