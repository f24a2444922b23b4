/* launch FILE COMMAND…: runs the command and writes the CPU seconds it took, and its largest size in
 * KiB, to the file. A process counts as at least as large as the one which started it, so that one
 * should be small. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct rusage r;
    int status;
    if (argc < 3)
        return 64;
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &r) != child)
        return 70;
    FILE *f = fopen(argv[1], "w");
    if (!f)
        return 70;
    fprintf(f, "%ld.%06ld %ld\n", (long)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
            (long)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1000000,
            (long)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) % 1000000, r.ru_maxrss);
    return fclose(f) || !WIFEXITED(status) ? 70 : 0;
}
