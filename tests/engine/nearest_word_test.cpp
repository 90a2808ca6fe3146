// Suggestions for misspelt words.
#include "engine/nearest_word.h"

#include <gtest/gtest.h>

#include <vector>

namespace pothole {
namespace {

const std::vector<std::string> kWords = {"replay", "report", "run", "list"};

TEST(NearestWord, TheNearestByEditsWithoutRegardToCase) {
  EXPECT_EQ(nearest_word("replya", kWords), "replay");
  EXPECT_EQ(nearest_word("REPORTS", kWords), "report");
  EXPECT_EQ(nearest_word("rum", kWords), "run");
  EXPECT_EQ(nearest_word("lst", kWords), "list");
  EXPECT_EQ(nearest_word("run", kWords), "run");
}

TEST(NearestWord, TheFirstOfEquallyNearOnes) {
  const std::vector<std::string> words = {"cat", "bat"};
  EXPECT_EQ(nearest_word("rat", words), "cat");
}

TEST(NearestWord, NothingWhereNothingCanHaveBeenMeant) {
  EXPECT_EQ(nearest_word("", kWords), "");
  EXPECT_EQ(nearest_word("xyzzy", kWords), "");
  EXPECT_EQ(nearest_word("qqqqqqqqqq", kWords), "");
  EXPECT_EQ(nearest_word("run", {}), "");
}

}  // namespace
}  // namespace pothole
