#include "cli/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/input_error.h"

namespace pothole {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_budget(text, "--budget");
  } catch (const InputError& error) {
    return error.what_is_wrong();
  }
  return "";
}

std::string ratio_refusal(const std::string& text) {
  try {
    parse_ratio(text, "--ratio");
  } catch (const InputError& error) {
    return error.what_is_wrong();
  }
  return "";
}

TEST(Budget, WholeBytesAndSuffixes) {
  EXPECT_EQ(parse_budget("1046362683", "x"), 1046362683);
  EXPECT_EQ(parse_budget("1", "x"), 1);
  EXPECT_EQ(parse_budget("007", "x"), 7);
  EXPECT_EQ(parse_budget("17B", "x"), 17);
  EXPECT_EQ(parse_budget("2kB", "x"), 2000);
  EXPECT_EQ(parse_budget("2MB", "x"), 2'000'000);
  EXPECT_EQ(parse_budget("2GB", "x"), 2'000'000'000);
  EXPECT_EQ(parse_budget("2KiB", "x"), 2048);
  EXPECT_EQ(parse_budget("2MiB", "x"), 2 << 20);
  EXPECT_EQ(parse_budget("2GiB", "x"), std::int64_t{2} << 30);
}

TEST(Budget, FractionsAreExact) {
  EXPECT_EQ(parse_budget("0.1GB", "x"), 100'000'000);
  EXPECT_EQ(parse_budget("1.000000001GB", "x"), 1'000'000'001);
  EXPECT_EQ(parse_budget("0.5KiB", "x"), 512);
  EXPECT_EQ(parse_budget("1.50000000000000000000000000000000000MiB", "x"), 3 << 19);
  EXPECT_EQ(parse_budget("0.000000000931322574615478515625GiB", "x"), 1);
  EXPECT_EQ(refusal("0.1KiB"), "'0.1KiB' is not a whole number of bytes");
  EXPECT_EQ(refusal("1.5B"), "'1.5B' is not a whole number of bytes");
  EXPECT_EQ(refusal("0.0005kB"), "'0.0005kB' is not a whole number of bytes");
}

TEST(Budget, TheLargestIsTwoToThe62) {
  EXPECT_EQ(parse_budget("4611686018427387904", "x"), kLargestQuantity);
  EXPECT_EQ(parse_budget("4294967296GiB", "x"), kLargestQuantity);
  EXPECT_EQ(refusal("4611686018427387905"), "'4611686018427387905' is too large");
  EXPECT_EQ(refusal("4294967296.5GiB"), "'4294967296.5GiB' is too large");
  EXPECT_EQ(refusal(std::string(400, '9')), "'" + std::string(400, '9') + "' is too large");
}

TEST(Budget, WhatIsNotABudgetIsRefused) {
  EXPECT_EQ(refusal("0.104"), "'0.104' is a fraction without a unit");
  EXPECT_EQ(refusal("12.0"), "'12.0' is a fraction without a unit");
  EXPECT_EQ(refusal("0"), "'0' is zero");
  EXPECT_EQ(refusal("0GB"), "'0GB' is zero");
  EXPECT_EQ(refusal("-1"), "'-1' is negative");
  EXPECT_EQ(refusal(""), "'' is empty");
  EXPECT_EQ(refusal("1 GB"), "'1 GB' contains a blank");
  EXPECT_EQ(refusal(" 1"), "' 1' contains a blank");
  for (const char* text : {"nan", "inf", "GB", ".5GB", "5.GB", "+1", "x"}) {
    EXPECT_THAT(refusal(text), testing::HasSubstr("is not a number of bytes")) << text;
  }
  for (const char* text : {"1KB", "1kb", "1gb", "1K", "1G", "1TB", "1e9", "1GBx", "0x10", "1,000"}) {
    EXPECT_THAT(refusal(text), testing::HasSubstr("has the unknown suffix")) << text;
  }
}

TEST(Budget, RatiosAreFiniteAndPositive) {
  EXPECT_EQ(parse_ratio("0.104", "x"), 0.104);
  EXPECT_EQ(parse_ratio("1", "x"), 1.0);
  EXPECT_EQ(parse_ratio("5e-2", "x"), 0.05);
  EXPECT_EQ(ratio_refusal("0"), "'0' is zero");
  EXPECT_EQ(ratio_refusal("-0.5"), "'-0.5' is negative");
  EXPECT_EQ(ratio_refusal("-inf"), "'-inf' is not finite");
  EXPECT_EQ(ratio_refusal("nan"), "'nan' is not finite");
  EXPECT_EQ(ratio_refusal("1e999"), "'1e999' is out of range");
  for (const char* text : {"", " 1", "0.5x", "40%", "1GB", "+1"}) {
    EXPECT_THAT(ratio_refusal(text), testing::HasSubstr("is not a number")) << text;
  }
}

TEST(Budget, ARatioBecomesWholeBytesOrIsRefused) {
  EXPECT_EQ(checked_budget_at_ratio(10061179648, 0.05, "x"), 503058982);
  EXPECT_EQ(checked_budget_at_ratio(17, 1.0, "x"), 17);
  EXPECT_THROW(checked_budget_at_ratio(17, 0.05, "x"), InputError);
  EXPECT_THROW(checked_budget_at_ratio(0, 1.0, "x"), InputError);
  EXPECT_THROW(checked_budget_at_ratio(17, 1e300, "x"), InputError);
}

TEST(Budget, ShortFormsHaveThreeDigits) {
  EXPECT_EQ(short_bytes(0), "0 B");
  EXPECT_EQ(short_bytes(999), "999 B");
  EXPECT_EQ(short_bytes(1000), "1.00 kB");
  EXPECT_EQ(short_bytes(36736), "36.7 kB");
  EXPECT_EQ(short_bytes(999'999), "1.00 MB");
  EXPECT_EQ(short_bytes(10061179648), "10.1 GB");
}

}  // namespace
}  // namespace pothole
