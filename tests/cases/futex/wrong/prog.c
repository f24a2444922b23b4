/* Calls that fail with EINVAL: a word that does not lie as words do, no bits to wait for, a limit
 * that is no time. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int words[2];

static int error(void *word, int what, const struct timespec *limit, int bits)
{
    return syscall(SYS_futex, word, what, 0, limit, 0, bits) < 0 ? errno : 0;
}

int main(void)
{
    assert(error((char *)words + 1, FUTEX_WAIT, 0, 0) == EINVAL);
    assert(error((char *)words + 2, FUTEX_WAKE, 0, 0) == EINVAL);
    assert(error(words, FUTEX_WAIT_BITSET, 0, 0) == EINVAL);
    assert(error(words, FUTEX_WAKE_BITSET, 0, 0) == EINVAL);
    assert(error(words, FUTEX_WAIT, &(struct timespec){0, -1}, 0) == EINVAL);
    assert(error(words, FUTEX_WAIT, &(struct timespec){0, 10}, 0) == ETIMEDOUT);
    return 0;
}
