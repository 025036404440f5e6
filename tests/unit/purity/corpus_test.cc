#include <gmock/gmock.h>

#include "unit/purity/corpus.h"

namespace croq::source {
namespace {

using croq::testing::Check;
using croq::testing::CorpusFile;
using croq::testing::Has;
using croq::testing::ReadCorpus;
using croq::testing::Text;

TEST(Corpus, EvasionsAreRejectedForTheirReason) {
  const std::vector<CorpusFile> files = ReadCorpus("evasions");
  EXPECT_GE(files.size(), 60U);
  for (const CorpusFile& file : files) {
    SCOPED_TRACE(file.name);
    ASSERT_FALSE(file.accepted);
    ASSERT_FALSE(file.codes.empty());
    const PurityReport report = Check(file.bytes, file.options);
    EXPECT_FALSE(report.accepted()) << Text(report);
    for (const std::string& code : file.codes)
      EXPECT_TRUE(Has(report, code)) << code << " is not among\n" << Text(report);
  }
}

TEST(Corpus, HonestFilesAreAccepted) {
  const std::vector<CorpusFile> files = ReadCorpus("honest");
  EXPECT_GE(files.size(), 40U);
  for (const CorpusFile& file : files) {
    SCOPED_TRACE(file.name);
    ASSERT_TRUE(file.accepted);
    const PurityReport report = Check(file.bytes, file.options);
    EXPECT_TRUE(report.accepted()) << Text(report);
    for (const std::string& code : file.codes)
      EXPECT_TRUE(Has(report, code)) << code << " is not among\n" << Text(report);
  }
}

}  // namespace
}  // namespace croq::source
