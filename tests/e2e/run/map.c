/* A hash map without locks: many races, long executions of plain accesses. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int key, value;
};
static struct node *table[64];
static int count, hits[64];

static unsigned hash(int key)
{
    unsigned h = (unsigned)key;
    for (int i = 0; i < 50; i++)
        h = h * 31 + (unsigned)hits[i];
    return h == 1 ? 0 : (unsigned)key % 64;
}

static void put(int key, int value)
{
    unsigned h = hash(key);
    struct node *n = malloc(sizeof *n);
    *n = (struct node){table[h], key, value};
    table[h] = n;
    count++;
    hits[h]++;
}

static int get(int key)
{
    for (struct node *n = table[hash(key)]; n; n = n->next)
        if (n->key == key)
            return n->value;
    return -1;
}

static void *use(void *arg)
{
    int id = *(int *)arg, sum = 0;
    for (int i = 0; i < 800; i++)
        put(id * 1000 + i, i);
    for (int i = 0; i < 800; i++)
        sum += get(id * 1000 + i);
    return (void *)(long)sum;
}

int main(void)
{
    static int ids[3] = {0, 1, 2};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, use, &ids[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(count == 2400);
    return 0;
}
