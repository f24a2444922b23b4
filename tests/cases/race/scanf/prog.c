/* What scanf leaves in a variable is a write of its caller. */
#include <pthread.h>
#include <stdio.h>

static const char text[] = "12 words 3.5 x 77";
int number;
char word[16];
double fraction;
char letter;

static void *count(void *arg)
{
    number++; // RACE
    return arg;
}

int main(void)
{
    pthread_t t;
    int last = 0;
    pthread_create(&t, NULL, count, NULL);
    int n = sscanf(text, "%d %15s %lf %c %*1d%n", &number, word, &fraction, &letter, &last);
    pthread_join(t, NULL);
    return n != 4 || last != 16;
}
