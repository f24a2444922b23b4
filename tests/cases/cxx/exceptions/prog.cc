/* Exceptions thrown and caught in several threads at once, with switches between throw and catch. */
#include <atomic>
#include <cassert>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

std::atomic<int> steps;
struct Noisy {
    ~Noisy() { steps++; }
};

static int work(int n)
{
    try {
        Noisy on_the_way;
        throw std::out_of_range("n" + std::to_string(n));
    } catch (const std::exception &e) {
        steps++;
        try {
            throw;
        } catch (const std::out_of_range &again) {
            return again.what()[1] - '0';
        }
    }
}

int main()
{
    std::exception_ptr p;
    std::thread t([&p] {
        assert(work(1) == 1);
        try {
            throw std::string("over");
        } catch (...) {
            p = std::current_exception();
        }
    });
    assert(work(2) == 2);
    t.join();
    try {
        std::rethrow_exception(p);
    } catch (const std::string &s) {
        assert(s == "over");
    }
    assert(steps == 4);
}
