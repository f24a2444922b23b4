

static int down(volatile int *n)
{
    volatile int here = *n + 1;
    return down(&here) + here;
}

int main(void)
{
    int start = 0;
    return down(&start);
}
