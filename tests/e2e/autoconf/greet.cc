#include <string>

std::string greeting()
{
    static thread_local std::string text = "hel";
    return text + "lo";
}
