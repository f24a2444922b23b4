/* A monitor is left by a thread that is not in it. */
#include <raddle/sync.h>

static raddle_monitor m = RADDLE_MONITOR(RADDLE_SIGNAL_AND_CONTINUE);

int main(void)
{
    raddle_monitor_leave(&m); /* BUG */
    return 0;
}
