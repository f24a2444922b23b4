/* Computes for argv[1] rounds without doing anything that another thread could notice. */
#include <pthread.h>
#include <stdlib.h>

static unsigned table[1 << 16];

int main(int argc, char **argv)
{
    unsigned sum = 0;
    for (int round = 0; round < atoi(argv[1]); round++)
        for (int i = 0; i < 1 << 16; i++) {
            table[i] += (unsigned)(i ^ round);
            sum += table[i];
        }
    return sum == 42;
}
