#include <gmock/gmock.h>

#include "croq/profile/csv.h"
#include "croq/profile/export.h"
#include "unit/profile/exports.h"

/// Files that were cut off, or whose rows were spoilt: each is refused with the line.
namespace croq::profile {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHeader =
    R"("ID","Process ID","Process Name","Kernel Name","sm__throughput.avg","dram__bytes.sum")"
    "\n"
    R"("","","","","%","byte")"
    "\n";

std::string Raw(const std::string& rows) {
  return kHeader + rows;
}

std::string ReadFault(const std::string& text) {
  const auto read = ReadExport(text, "x");
  return read ? "" : read.error().message;
}

TEST(Damage, AQuoteThatNobodyClosesIsACutOffExport) {
  for (const char* file :
       {"mm_raw_base.csv", "mm_details_base.csv", "synthetic/metrics_tall.csv"}) {
    std::string text = MustRead(Golden() / file);
    text.resize(text.rfind('"') + 1);  // on the details page a comma follows
    EXPECT_EQ(ReadFault(text), "") << file;
    text.pop_back();
    const std::string line = std::to_string(LineOf(text, text.rfind("\n\"") + 1));
    EXPECT_THAT(ReadFault(text),
                AllOf(HasSubstr("x:" + line + ":1: the file ends within a quoted cell"),
                      HasSubstr("the export was cut off; export again"), HasSubstr("--csv")))
        << file;
  }
}

TEST(Damage, ACutAnywhereInTheLastRowIsSeen) {
  const std::string text = Raw(R"("0","41","py","k","1","2"
"1","41","py","k","1","2")");
  EXPECT_EQ(ReadFault(text), "");
  const std::size_t row = text.rfind('\n') + 1;
  for (std::size_t end = row + 1; end < text.size(); ++end) {
    EXPECT_THAT(ReadFault(text.substr(0, end)), HasSubstr("x:4:1: the file ends within")) << end;
  }
}

TEST(Damage, AHeaderThatIsCutOffIsNoTableWithoutLaunches) {
  EXPECT_THAT(ReadFault(R"("ID","Process ID","Kernel Name","sm__thr)"),
              HasSubstr("x:1:1: the file ends within a quoted cell"));
}

TEST(Damage, ARowHasAsManyFieldsAsTheHeader) {
  EXPECT_THAT(ReadFault(Raw("\"0\",\"41\",\"py\",\"k\",\"1\"\n")),
              AllOf(HasSubstr("x:3:1: this row has 5 fields, its table's header has 6"),
                    Not(HasSubstr("--kernel-name"))));
  EXPECT_THAT(ReadFault(Raw("\"0\",\"41\"\n")), HasSubstr("x:3:1: this row has 2 fields"));
  EXPECT_THAT(ReadFault(Raw("\"0\",\"41\",\"py\",\"k\",\"1\",\"2\",\"3\"\n")),
              HasSubstr("has 7 fields"));
  const std::string good = "\"0\",\"41\",\"py\",\"k\",\"1\",\"2\"\n";
  EXPECT_THAT(ReadFault(Raw(good + "\"1\",\"41\",\"py\",\"k\",\"1\"\n" + good)),
              HasSubstr("x:4:1: this row has 5 fields"));
  EXPECT_THAT(ReadFault("ID,Process ID,Kernel Name,sm__throughput.avg\n0,41,k\n"),
              HasSubstr("x:2:1: this row has 3 fields, its table's header has 4"));
}

TEST(Damage, ATallRowReachesItsValue) {
  const std::string header = R"("ID","Kernel Name","Metric Name","Metric Unit","Metric Value")"
                             "\n";
  EXPECT_EQ(ReadFault(header + "\"0\",\"k\",\"sm__throughput.avg\",\"%\",\"1\"\n"), "");
  EXPECT_THAT(ReadFault(header + "\"0\",\"k\",\"sm__throughput.avg\",\"%\"\n"),
              HasSubstr("x:2:1: this row has 4 fields, its table's header has 5"));
  EXPECT_THAT(ReadFault(header + "\"\",\"k\",\"sm__throughput.avg\",\"%\",\"1\"\n"),
              HasSubstr("x:2:1: the ID cell of this row is empty"));
}

TEST(Damage, ARowHasANumber) {
  EXPECT_THAT(ReadFault(Raw("\"\",\"41\",\"py\",\"k\",\"1\",\"2\"\n")),
              HasSubstr("x:3:1: the ID cell of this row is empty"));
  EXPECT_THAT(ReadFault(Raw("\"\",\"41\",\"py\",\"\",\"1\",\"2\"\n")),
              HasSubstr("x:3:1: the ID cell of this row is empty"));
  EXPECT_THAT(ReadFault(Raw("\"zero\",\"41\",\"py\",\"k\",\"1\",\"2\"\n")),
              HasSubstr("x:3:1: the ID cell of this row holds 'zero'"));
}

TEST(Damage, ATextHasNoNulBytes) {
  const std::string row = "\"0\",\"41\",\"py\",\"k\",\"1\",\"2\"\n";
  for (std::string text : {Raw(row), MustRead(Golden() / "mm_details_base.csv")}) {
    text += std::string("\0\0", 2);
    const std::string line = std::to_string(LineOf(text, text.size()));
    EXPECT_THAT(ReadFault(text), HasSubstr("x:" + line + ":1: this line holds a NUL byte"));
  }
  std::string text = Raw(row + row);
  text[text.find("py")] = '\0';
  EXPECT_THAT(ReadFault(text), HasSubstr("x:3:1: this line holds a NUL byte"));
}

TEST(Damage, TwoColumnsOfOneMetricAgree) {
  const std::string header = R"("ID","Kernel Name","sm__a.avg","dram__b.sum","sm__a.avg")"
                             "\n";
  EXPECT_EQ(ReadFault(header + "\"0\",\"k\",\"1\",\"2\",\"1\"\n"), "");
  EXPECT_EQ(ReadFault(header + "\"0\",\"k\",\"1\",\"2\",\"\"\n"), "");
  EXPECT_THAT(ReadFault(header + "\"0\",\"k\",\"1\",\"2\",\"3\"\n"),
              HasSubstr("x:2:1: the metric sm__a.avg has two columns, which differ in this row"));
  EXPECT_THAT(ReadFault(header + "\"\",\"\",\"ns\",\"\",\"us\"\n" +
                        "\"0\",\"k\",\"1\",\"2\",\"1\"\n"),
              HasSubstr("x:3:1: the metric sm__a.avg"));
}

TEST(Damage, WhatTheProgramPrintsIsNoRow) {
  const std::string row = "\"0\",\"41\",\"py\",\"k\",\"1\",\"2\"\n";
  for (const char* output : {"1,2,3\n", "1, 2, 3, 4, 5\n", ",,,,\n", "0,\"open\n", "\"a\",\"b\"\n",
                             "\"12\"\n", "\"12\n", "\"\",\"\"\n", "==PROF== Done\n", "\n"}) {
    EXPECT_EQ(ReadFault(output + Raw(output + row + output + row + output)), "") << output;
  }
}

}  // namespace
}  // namespace croq::profile
