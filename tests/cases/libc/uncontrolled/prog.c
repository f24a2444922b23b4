/* Functions that could block or communicate and that nobody models are named. */
#define _GNU_SOURCE
#include <sys/ipc.h>
#include <sys/msg.h>

int main(void)
{
    msgget(IPC_PRIVATE, 0); /* NAMED */
    return 0;
}
