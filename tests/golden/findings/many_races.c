#include <pthread.h>
struct stats { long in, out, errors; };
static struct stats st;
static void a1(void){ st.in++; } static void a2(void){ st.in += 2; } static void a3(void){ st.in *= 2; }
static void a4(void){ st.out++; } static void a5(void){ st.out = st.in; }
static void *w(void *p)
{
    a1(); a2(); a3(); a4(); a5();
    if (st.errors) st.errors = 0;
    st.errors++;
    return 0;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
