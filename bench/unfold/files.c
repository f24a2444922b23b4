/* Filesystem (table 8.1), after Flanagan and Godefroid: from 13 threads on they meet in pairs, each
 * pair on an object of its own. */
#include <pthread.h>

enum { INODES = 32, BLOCKS = 26 };

pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
int inode[INODES];
char busy[BLOCKS];

static void *create_file(void *arg)
{
    int i = (int)(long)arg % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    for (int b = i * 2 % BLOCKS; inode[i] == 0; b = (b + 1) % BLOCKS) {
        pthread_mutex_lock(&block_lock[b]);
        if (!busy[b]) {
            busy[b] = 1;
            inode[i] = b + 1;
        }
        pthread_mutex_unlock(&block_lock[b]);
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_lock[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&t, NULL, create_file, (void *)i);
    pthread_exit(NULL);
}
