#include "croq/profile/unit.h"

#include <gtest/gtest.h>

namespace croq::profile {
namespace {

struct Case {
  const char* text;
  Dimension dimension;
  double scale;
};

TEST(Units, AreConvertedByTable) {
  for (const Case& c : std::initializer_list<Case>{
           {"ns", Dimension::kTime, 1},
           {"nsecond", Dimension::kTime, 1},
           {"us", Dimension::kTime, 1e3},
           {"usecond", Dimension::kTime, 1e3},
           {"ms", Dimension::kTime, 1e6},
           {"msecond", Dimension::kTime, 1e6},
           {"s", Dimension::kTime, 1e9},
           {"second", Dimension::kTime, 1e9},
           {"hz", Dimension::kFrequency, 1},
           {"Khz", Dimension::kFrequency, 1e3},
           {"Mhz", Dimension::kFrequency, 1e6},
           {"Ghz", Dimension::kFrequency, 1e9},
           {"cycle/nsecond", Dimension::kFrequency, 1e9},
           {"cycle/usecond", Dimension::kFrequency, 1e6},
           {"cycle/second", Dimension::kFrequency, 1},
           {"byte", Dimension::kBytes, 1},
           {"Kbyte", Dimension::kBytes, 1e3},
           {"Mbyte", Dimension::kBytes, 1e6},
           {"Gbyte", Dimension::kBytes, 1e9},
           {"Tbyte", Dimension::kBytes, 1e12},
           {"Kbyte/block", Dimension::kBytes, 1e3},
           {"byte/s", Dimension::kByteRate, 1},
           {"Gbyte/second", Dimension::kByteRate, 1e9},
           {"Tbyte/s", Dimension::kByteRate, 1e12},
           {"%", Dimension::kPercent, 1},
           {"Kbyte/cycle", Dimension::kOther, 1},
           {"%/Kbyte", Dimension::kOther, 1},
           {"inst", Dimension::kOther, 1},
           {"sector/ns", Dimension::kOther, 1},
           {"register/thread", Dimension::kOther, 1},
           {"", Dimension::kOther, 1},
       }) {
    const Unit unit = ParseUnit(c.text);
    EXPECT_EQ(unit.dimension, c.dimension) << c.text;
    EXPECT_DOUBLE_EQ(unit.scale, c.scale) << c.text;
  }
}

}  // namespace
}  // namespace croq::profile
