/* A plain variable is written and read at once; under --races off other threads come between. */
#include <pthread.h>
#include <raddle.h>

static int value;

static void *write_and_look(void *mine)
{
    value = *(int *)mine;
    raddle_assert(value == *(int *)mine); // BUG
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int mine[2] = {raddle_input_int("first", 0, 9), 10};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, write_and_look, &mine[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
