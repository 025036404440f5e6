#include "croq/base/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace croq {
namespace {

TEST(Base64, VectorsOfRfc4648) {
  EXPECT_EQ(EncodeBase64(""), "");
  EXPECT_EQ(EncodeBase64("f"), "Zg==");
  EXPECT_EQ(EncodeBase64("fo"), "Zm8=");
  EXPECT_EQ(EncodeBase64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(EncodeBase64("\xff\xfe\xfd"), "//79");
  EXPECT_EQ(DecodeBase64("Zm9vYg==").value(), "foob");
}

TEST(Base64, RefusesWhatIsNotBase64) {
  for (const char* text : {"Zg=", "Z===", "====", "Zg==Zg==", "Z g=", "Zh==", "Zm9=", "Zm-_"})
    EXPECT_FALSE(DecodeBase64(text)) << text;
}

TEST(Base64Property, ComesBack) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    RC_ASSERT(DecodeBase64(EncodeBase64(bytes)).value() == bytes);
  }));
}

}  // namespace
}  // namespace croq
