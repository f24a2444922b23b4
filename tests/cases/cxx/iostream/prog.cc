/* Streams, strings and containers in threads. */
#include <cassert>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

std::mutex m;
std::map<std::string, int> words;

static void count(const std::string &text)
{
    std::istringstream in(text);
    std::string w;
    std::vector<std::string> all;
    while (in >> w)
        all.push_back(w);
    std::lock_guard<std::mutex> g(m);
    for (auto &x : all)
        words[x]++;
    std::cout << all.size() << " words" << std::endl;
}

int main()
{
    std::thread a(count, "one two three"), b(count, "two three four");
    a.join();
    b.join();
    std::ostringstream out;
    for (auto &w : words)
        out << w.first << "=" << w.second << ' ';
    assert(out.str() == "four=1 one=1 three=2 two=2 ");
}
