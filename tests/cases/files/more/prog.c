/* Truncated, appended to, linked, changed in mode and in place through a mapping, folders removed: all is
 * there again in the next execution. */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int x;

static void *work(void *arg)
{
    atomic_fetch_add(&x, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct stat st;
    char text[32] = "";
    umask(022);
    assert(mkdir("/tmp/raddle-more", 0700) == 0 && chdir("/tmp/raddle-more") == 0);
    int fd = open("a", O_CREAT | O_EXCL | O_RDWR, 0600);
    assert(fd >= 0 && ftruncate(fd, 8192) == 0 && pwrite(fd, "abc", 3, 0) == 3);
    char *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(map != MAP_FAILED && map[2] == 'c');
    map[0] = 'A';
    assert(msync(map, 8192, MS_SYNC) == 0 && pread(fd, text, 3, 0) == 3 && !strcmp(text, "Abc"));
    munmap(map, 8192);
    assert(ftruncate(fd, 3) == 0 && fstat(fd, &st) == 0 && st.st_size == 3);
    close(fd);
    pthread_create(&t, NULL, work, NULL);
    atomic_fetch_add(&x, 1);
    fd = open("a", O_WRONLY | O_APPEND);
    assert(write(fd, "def", 3) == 3 && close(fd) == 0);
    assert(link("a", "b") == 0 && symlink("a", "c") == 0 && chmod("a", 0400) == 0);
    assert(stat("b", &st) == 0 && st.st_size == 6 && st.st_nlink == 2 && (st.st_mode & 0777) == 0400);
    assert(readlink("c", text, sizeof text) == 1);
    assert(mkdirat(AT_FDCWD, "d", 0755) == 0 && renameat(AT_FDCWD, "b", AT_FDCWD, "d/b") == 0);
    DIR *d = opendir(".");
    int n = 0;
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    assert(n == 3);
    pthread_join(t, NULL);
    assert(unlink("c") == 0 && unlinkat(AT_FDCWD, "d/b", 0) == 0 && remove("d") == 0);
    FILE *f = fopen("a", "r");
    assert(f && fgets(text, sizeof text, f) && !strcmp(text, "Abcdef"));
    fclose(f);
    return 0; /* the folder and a file are left */
}
