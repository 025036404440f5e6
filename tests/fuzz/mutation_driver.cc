// Stands in for libFuzzer where there is no clang: changes the seeds at random and feeds them to
// LLVMFuzzerTestOneInput. Arguments: number of inputs, random seed, seed files.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kLongest = 8192;  ///< bytes of an input

const std::vector<std::string> kWords{"\"",
                                      "\"\"",
                                      ",",
                                      "\n",
                                      "\r\n",
                                      ",,",
                                      "\"ID\",",
                                      "\"Kernel Name\",",
                                      "nan",
                                      "n/a",
                                      "(!) nan",
                                      " (1; 2)",
                                      "1,234.5",
                                      "66,97",
                                      "1e999",
                                      "-1",
                                      "0",
                                      "%",
                                      "us",
                                      "Gbyte/s",
                                      "\xEF\xBB\xBF",
                                      "\xC2\xA0",
                                      "==ERROR== x\n",
                                      "<",
                                      "::",
                                      "(",
                                      "Metric Value",
                                      "\"0\",",
                                      std::string(1, '\0'),
                                      "105.1",
                                      "sm__throughput.avg.pct_of_peak_sustained_elapsed"};

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, std::uint64_t seed)
      : seeds_(std::move(seeds)), random_(seed) {}

  std::string Next() {
    std::string text = seeds_[Below(seeds_.size())];
    if (text.size() > kLongest)
      text = text.substr(Below(text.size() - kLongest), kLongest);
    for (std::size_t edits = 1 + Below(6); edits > 0; --edits) Edit(text);
    if (text.size() > kLongest)
      text.resize(kLongest);
    return text;
  }

 private:
  std::size_t Below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

  void Edit(std::string& text) {
    const std::size_t at = Below(text.size());
    switch (Below(5)) {
      case 0:
        if (!text.empty())
          text[at] = static_cast<char>(Below(256));
        break;
      case 1:
        text.erase(at, 1 + Below(60));
        break;
      case 2:
        text.insert(at, kWords[Below(kWords.size())]);
        break;
      case 3:
        text.insert(at, text.substr(Below(text.size()), 1 + Below(200)));
        break;
      default:
        text.replace(at, std::min(text.size() - at, 1 + Below(8)), kWords[Below(kWords.size())]);
    }
  }

  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: classify_mutation INPUTS SEED FILE...\n", stderr);
    return 2;
  }
  std::vector<std::string> seeds;
  for (int i = 3; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  Mutator mutator(seeds, std::strtoull(argv[2], nullptr, 10));
  const std::uint64_t inputs = std::strtoull(argv[1], nullptr, 10);
  std::string text;
  for (std::uint64_t i = 0; i < inputs; ++i) {
    text = mutator.Next();
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
  std::printf("%llu inputs, no crash\n", static_cast<unsigned long long>(inputs));
  return 0;
}
