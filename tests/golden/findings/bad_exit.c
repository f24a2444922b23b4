/* run: --engine icb --races off */
#include <pthread.h>
#include <stdio.h>
static int errors;
static void *check(void *name)
{
    int seen = errors;
    if (name)
        errors = seen + 1; /* CHANGE */
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    char *names[] = {"disk", "net"};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, check, names[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    printf("%d errors\n", errors);
    return errors == 2 ? 0 : 3;
}
