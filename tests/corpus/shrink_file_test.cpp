#include "corpus/shrink_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/input_error.h"
#include "generators/random_program.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

ShrinkFile some_file() {
  ShrinkFile file;
  file.settings = {"policy DTR", "pumps 20"};
  file.operators_before = 12;
  file.pass = "drop";
  file.grain = 4;
  file.block = 2;
  file.improved = true;
  file.evaluations = 99;
  file.others = {"some other"};
  file.witness = {5, 6, 7};
  file.program = random_program(1, 4);
  return file;
}

TEST(ShrinkFile, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  ShrinkFile file = some_file();
  for (int i = 0; i < 2; ++i) {
    const std::string text = shrink_text(file);
    put_file(folder / "file", text);
    EXPECT_EQ(shrink_text(read_shrink(folder / "file")), text);
    file.block.reset();
    file.improved = false;
  }
}

TEST(ShrinkFile, WhatIsNotWholeIsRefused) {
  const TemporaryFolder folder;
  const std::string whole = shrink_text(some_file());
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& what) {
    std::string text = whole;
    ASSERT_NE(text.find(from), text.npos) << from;
    put_file(folder / "file", text.replace(text.find(from), from.size(), to));
    try {
      read_shrink(folder / "file");
      ADD_FAILURE() << "read: " << to;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(what)) << to;
      EXPECT_THAT(error.what(), testing::HasSubstr("remove it and start anew")) << to;
    }
  };
  refused("pothole-shrink/1", "pothole-shrink/2", "is not a reduction under way (pothole-shrink/1)");
  refused("\"format\"", "\"fromat\"", "is not a reduction under way");
  refused("\"grain\":4,", "", "it has no \"grain\"");
  refused("\"grain\":4,", "\"grain\":4,\"more\":1,", "it has an unknown member \"more\"");
  refused("\"grain\":4,", "\"grain\":3,\"grain\":4,", "the key \"grain\" is repeated");
  refused("\"grain\":4,", "\"grain\":-4,", "\"grain\" must be a whole number");
  refused("\"grain\":4,", "\"grain\":4.5,", "\"grain\" must be a whole number");
  refused("\"block\":2,", "\"block\":\"2\",", "\"block\" must be a whole number");
  refused("\"improved\":true", "\"improved\":1", "\"improved\" must be true or false");
  refused("\"others\":[", "\"others\":[1,", "\"others\" must hold strings");
  refused("\"settings\":[", "\"settings\":{\"a\":[", "is not a whole reduction");
  refused("\"pass\":\"drop\"", "\"pass\":1", "\"pass\" must be a string");
  refused("[5,6,7]", "[5,6]", "\"witness\" must be three budgets");
  refused("[5,6,7]", "[5,7,6]", "not in order");
  refused("[5,6,7]", "[0,6,7]", "\"witness\" must hold whole numbers from 1");
  // Of the program, too, whose own reader is given what is left of it.
  refused("\"operators\":[", "\"operators\":[],\"operators\":[", "the key \"operators\" is repeated");
  refused("\"operators\":[", "\"unknown\":1,\"operators\":[", "of its \"program\": unknown key \"unknown\"");
}

}  // namespace
}  // namespace pothole
