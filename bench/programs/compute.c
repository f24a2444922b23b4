/* Two threads that mostly compute: they parse a text, sort and hash the numbers in it, and add to a sum
 * twice. What a way of instrumenting costs code that is not concurrent. */
#include <pthread.h>
#include <stdatomic.h>

#define ITEMS 24

static atomic_int sum;
static const char text[] = "17 4 256 9 1023 77 8 31 5 640 2 48 11 99 3 700 12 6 58 230 41 7 19 84";

static int parse(int *items)
{
    int n = 0;
    for (const char *p = text; *p && n < ITEMS; p += *p == ' ') {
        int v = 0;
        while (*p >= '0' && *p <= '9')
            v = 10 * v + *p++ - '0';
        items[n++] = v;
    }
    return n;
}

static void sort(int *items, int n)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && items[k] < items[k - 1]; k--) {
            int t = items[k];
            items[k] = items[k - 1];
            items[k - 1] = t;
        }
}

static void *work(void *unused)
{
    int items[ITEMS], n = parse(items);
    unsigned hash = 0;
    sort(items, n);
    for (int i = 0; i < n; i++)
        hash = (hash ^ (unsigned)items[i]) * 16777619u;
    atomic_fetch_add(&sum, (int)(hash & 7));
    atomic_fetch_add(&sum, items[3]);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
