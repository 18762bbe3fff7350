// simdjson: `dom` creates the whole document, `on-demand` reads only the method and the URL of each entry,
// and `in-memory` does the same with a file that was loaded before the measurement.
#include <chrono>
#include <cstdio>
#include <simdjson.h>
#include <string_view>

static size_t dom(const char *path) {
    simdjson::dom::parser parser;
    return simdjson::dom::array(parser.load(path)["log"]["entries"]).size();
}

static size_t on_demand(const simdjson::padded_string &text) {
    simdjson::ondemand::parser parser;
    auto document = parser.iterate(text);
    size_t count = 0, characters = 0;
    for (simdjson::ondemand::object entry : document["log"]["entries"]) {
        simdjson::ondemand::object request = entry["request"];
        characters += std::string_view(request["method"]).size() + std::string_view(request["url"]).size();
        ++count;
    }
    return characters ? count : 0;
}

int main(int count, char **arguments) {
    std::string_view task = arguments[1];
    simdjson::padded_string text;
    if (task == "in-memory") text = simdjson::padded_string::load(arguments[2]);
    auto start = std::chrono::steady_clock::now();
    if (task == "on-demand") text = simdjson::padded_string::load(arguments[2]);
    size_t entries = task == "dom" ? dom(arguments[2]) : on_demand(text);
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("{\"seconds\": %f, \"entries\": %zu}\n", time.count(), entries);
}
