/* Flanagan and Godefroid's file system: inodes and blocks, each with its own lock. */
#include "visible.h"

#include <pthread.h>
#include <stdbool.h>

#define INODES 32
#define BLOCKS 26

pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
REFERENCES(of_inode, inode_lock, INODES)
REFERENCES(of_block, block_lock, BLOCKS)
SHARED int inode[INODES];
SHARED bool busy[BLOCKS];

static void find_block(int i)
{
    for (int b = i * 2 % BLOCKS;; b = (b + 1) % BLOCKS) {
        pthread_mutex_t *m = LOCK_OF(of_block, block_lock, b);
        pthread_mutex_lock(m);
        if (!busy[b]) {
            busy[b] = true;
            inode[i] = b + 1;
            pthread_mutex_unlock(m);
            return;
        }
        pthread_mutex_unlock(m);
    }
}

static void *work(void *arg)
{
    int i = (int)(long)arg % INODES;
    pthread_mutex_t *m = LOCK_OF(of_inode, inode_lock, i);
    pthread_mutex_lock(m);
    if (inode[i] == 0)
        find_block(i);
    pthread_mutex_unlock(m);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_lock[i], NULL);
    refer_of_inode();
    refer_of_block();
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
