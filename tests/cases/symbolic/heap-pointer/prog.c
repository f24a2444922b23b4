/* A pointer to one of several blocks of the heap, which an input chooses: each block is tried, and an
 * index is compared with the size of that one. Only the second block is too small. */
#include <pthread.h>
#include <raddle.h>
#include <stdlib.h>

struct list {
    struct list *next;
    int size;
    char *data;
};

static struct list *lists[3];

static struct list *list_new(int size)
{
    struct list *l = malloc(sizeof *l);
    l->next = NULL;
    l->size = size;
    l->data = calloc(1, (size_t)size);
    return l;
}

static void list_add(struct list *new, struct list *after)
{
    new->next = after->next;
    after->next = new;
}

static char look(const char *data)
{
    return data[1]; /* BUG */
}

static void *run(void *a)
{
    list_add(list_new(8), lists[0]);
    return a;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 3; i++)
        lists[i] = list_new(i == 1 ? 4 : 8);
    int which = raddle_input_int("which", 0, 2), at = raddle_input_int("at", 0, LAST);
    list_add(list_new(8), lists[which]);
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    int length = 0;
    for (struct list *l = lists[which]; l; l = l->next)
        length++;
    raddle_assert(length == (which == 0 ? 3 : 2));
    return look(lists[which]->data + at);
}
