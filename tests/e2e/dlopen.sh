#!/usr/bin/env bash
# A module loaded with dlopen: every execution finds its data as it was after loading. Files that a
# program changes are as before when raddle run has ended.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
cat >module.c <<'C'
static int calls;
__attribute__((constructor)) static void loaded(void) { calls = 100; }
int count(void) { return ++calls; }
static _Thread_local int own = 7, zero;
int mine(void) { return own++ + zero++; }
C
cat >main.c <<'C'
#include <assert.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int x;
static int (*mine)(void);
static void *work(void *arg)
{
    assert(mine() == 7 && mine() == 9);
    x++;
    return malloc(1000) ? arg : NULL;
}
int main(void)
{
    pthread_t t;
    char c;
    void *module = dlopen("./module.so", RTLD_NOW);
    int fd = open("data", O_RDWR);
    assert(module && fd >= 0 && read(fd, &c, 1) == 1 && c == 'a');
    assert(lseek(fd, 0, SEEK_SET) == 0 && write(fd, "b", 1) == 1);
    assert(((int (*)(void))dlsym(module, "count"))() == 101);
    mine = (int (*)(void))dlsym(module, "mine");
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    pthread_create(&t, 0, work, 0); /* in a slot that was not used before */
    pthread_join(t, 0);
    dlclose(module);
    return unlink("data");
}
C
printf abc >data
"$RADDLE" cc -w -shared -fPIC -o module.so module.c || exit 1
"$RADDLE" cc -w -o main main.c -lpthread -ldl || exit 1
check "every execution starts anew" "$RADDLE" run --quiet --engine dfs ./main
check "the file is as before" grep -qx abc data
check_status 2 "and sooner or later no module is missed" "$RADDLE" run --quiet --engine random \
    --max-executions 3000 ./main
finish
