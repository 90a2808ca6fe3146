#include "corpus/smallest_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/input_error.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

SmallestFile some_file() {
  SmallestFile file;
  file.settings = {"policy DTR", "sizes 6"};
  file.operators = 3;
  file.edges = 2;
  file.next_skeleton = 17;
  file.best = SmallestFile::Hole{5, {1, 2, 3}, {4, 1, 1}};
  return file;
}

TEST(SmallestFile, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  SmallestFile file = some_file();
  for (int i = 0; i < 2; ++i) {
    put_file(folder / "file", smallest_text(file));
    EXPECT_EQ(read_smallest(folder / "file"), file);
    file.best.reset();
    file.misbehaved = true;
  }
}

TEST(SmallestFile, WhatIsNotWholeIsRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text) {
    put_file(folder / "file", text);
    try {
      read_smallest(folder / "file");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("read: ") + text;
  };
  const std::string whole = smallest_text(some_file());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_THAT(refused("{}"), testing::HasSubstr("is not a checkpoint of pothole smallest"));
  EXPECT_THAT(refused(whole.substr(0, whole.size() / 2)), testing::HasSubstr("is not a whole checkpoint"));
  EXPECT_THAT(refused(with("\"edges\":2", "\"edges\":-2")), testing::HasSubstr("\"edges\" must be a whole number"));
  EXPECT_THAT(refused(with("[1,2,3]", "[1,2]")), testing::HasSubstr("a size and a cost for each operator"));
  EXPECT_THAT(refused(with("[1,2,3]", "[0,2,3]")), testing::HasSubstr("\"sizes\" must hold whole numbers from 1"));
  EXPECT_THAT(refused(with("\"edges\":2", "\"edges\":2,\"more\":1")), testing::HasSubstr("unknown member \"more\""));
  EXPECT_THAT(refused(with("\"edges\":2", "\"edges\":1,\"edges\":2")), testing::HasSubstr("\"edges\" is repeated"));
  EXPECT_THAT(refused(with("\"skeleton\":5", "\"skeleton\":5,\"x\":1")),
              testing::HasSubstr("\"best\" has an unknown member \"x\""));
  EXPECT_THAT(refused(with("\"skeleton\":5", "\"skeleton\":4,\"skeleton\":5")),
              testing::HasSubstr("\"skeleton\" is repeated"));
  EXPECT_THAT(refused(with("false", "0")), testing::HasSubstr("\"misbehaved\" must be true or false"));
  EXPECT_THAT(refused(with("\"settings\"", "\"sentings\"")), testing::HasSubstr("is not a whole checkpoint"));
}

}  // namespace
}  // namespace pothole
