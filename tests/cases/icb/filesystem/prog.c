/* The file system model of Flanagan and Godefroid (POPL 2005, figure 7), small enough to be searched
 * completely and crowded enough for conflicts: processes create files, which takes an inode and a
 * block, each protected by its own lock. */
#include <assert.h>
#include <pthread.h>

enum { THREADS = 3, INODES = 2, BLOCKS = 3 };

static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES], busy[BLOCKS];

static void take_block(int i)
{
    for (int b = i * 2 % BLOCKS;; b = (b + 1) % BLOCKS) {
        pthread_mutex_lock(&block_lock[b]);
        if (!busy[b]) {
            busy[b] = 1;
            inode[i] = b + 1;
            pthread_mutex_unlock(&block_lock[b]);
            return;
        }
        pthread_mutex_unlock(&block_lock[b]);
    }
}

static void *process(void *arg)
{
    int i = (int)(long)arg % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0)
        take_block(i);
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_lock[i], NULL);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, process, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < INODES; i++)
        assert(inode[i]);
    return 0;
}
