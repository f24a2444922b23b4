#include <signal.h>

int main(void)
{
    raise(SIGTERM); /* BUG */
    return 0;
}
