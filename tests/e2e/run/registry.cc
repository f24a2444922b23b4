/* Like a test framework whose registry is freed by a destructor at exit. Memory that was mapped before
 * main is not put back, so the fourth execution in one process aborts there; a fresh process never
 * does. With an argument (a file) the memory is shared with the next process, which then does not
 * either: a finding that nothing reproduces. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int *runs;

__attribute__((constructor)) static void open_registry(int argc, char **argv)
{
    int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
    if (fd >= 0 && ftruncate(fd, 4096))
        abort();
    runs = static_cast<int *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                                   fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0));
}

struct registry {
    ~registry()
    {
        if (++*runs == 4)
            abort();
    }
} registry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return nullptr;
}

int main()
{
    pthread_t t[3];
    for (pthread_t &one : t)
        pthread_create(&one, nullptr, add, nullptr);
    for (pthread_t &one : t)
        pthread_join(one, nullptr);
    return 0;
}
