/* std::set and std::list do what they are to do: compared, step by step, with plain arrays. */
#include <algorithm>
#include <cassert>
#include <iterator>
#include <list>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#define NUMBERS 40

static unsigned state = 1;
static unsigned random_number()
{
    state = state * 1103515245 + 12345;
    return state >> 16;
}

typedef std::_Rb_tree<int, int, std::_Identity<int>, std::less<int>> tree;

static void trees()
{
    for (int numbers = 1; numbers < NUMBERS; numbers += 3) {
        tree t;
        std::vector<bool> in(numbers);
        for (int round = 0; round < 120; round++) {
            int n = random_number() % numbers;
            if (random_number() & 1)
                t._M_insert_unique(n);
            else
                assert(t.erase(n) == size_t(in[n]));
            in[n] = t.find(n) != t.end();
            assert(t.__rb_verify()); /* the library's own check */
            tree::iterator at = t.begin(), back = t.end();
            for (int i = 0; i < numbers; i++)
                assert(!in[i] || *at++ == i);
            for (int i = numbers; i--;)
                assert(!in[i] || *--back == i);
            assert(at == t.end() && back == t.begin());
        }
    }
}

static bool same(const std::list<int> &l, const std::vector<int> &v)
{
    return std::equal(l.begin(), l.end(), v.begin(), v.end()) &&
           std::equal(l.rbegin(), l.rend(), v.rbegin(), v.rend());
}

static void lists()
{
    std::list<int> l, m;
    std::vector<int> v, w;
    for (int round = 0; round < 2000; round++) {
        size_t at = random_number() % (v.size() + 1);
        switch (random_number() % 7) {
        case 0:
            l.insert(std::next(l.begin(), at), round);
            v.insert(v.begin() + at, round);
            break;
        case 1:
            if (at < v.size()) {
                l.erase(std::next(l.begin(), at));
                v.erase(v.begin() + at);
            }
            break;
        case 2:
            l.reverse();
            std::reverse(v.begin(), v.end());
            break;
        case 3:
            l.swap(m);
            v.swap(w);
            break;
        case 4:
            l.sort();
            std::sort(v.begin(), v.end());
            break;
        case 5:
            l.splice(std::next(l.begin(), at), m);
            v.insert(v.begin() + at, w.begin(), w.end());
            w.clear();
            break;
        case 6:
            m.splice(m.begin(), l, std::next(l.begin(), at), l.end());
            w.insert(w.begin(), v.begin() + at, v.end());
            v.resize(at);
            break;
        }
        assert(same(l, v) && same(m, w));
    }
}

int main()
{
    trees();
    lists();
    std::mutex lock;
    std::set<int> shared{1, 3};
    std::thread t([&] {
        std::lock_guard<std::mutex> held(lock);
        shared.insert(2);
        shared.erase(3);
    });
    {
        std::lock_guard<std::mutex> held(lock);
        assert(std::distance(shared.begin(), shared.end()) == 2);
    }
    t.join();
}
