// The overhead limit as an exact fraction: what is accepted, and that the comparison never rounds.
#include "engine/overhead_limit.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <limits>

namespace pothole {
namespace {

constexpr Cost kLargestCost = std::numeric_limits<Cost>::max();

OverheadLimit limit(std::string_view text) { return OverheadLimit::parse(text).value(); }

TEST(OverheadLimit, SixtyIsTheStandard) {
  EXPECT_EQ(OverheadLimit().value(), 60);
  EXPECT_FALSE(OverheadLimit().exceeded(590, 10));
  EXPECT_TRUE(OverheadLimit().exceeded(591, 10));
}

TEST(OverheadLimit, DecimalNumbersAreAccepted) {
  EXPECT_EQ(limit("1").value(), 1);
  EXPECT_EQ(limit("2.5").value(), 2.5);
  EXPECT_EQ(limit("007.50").value(), 7.5);
  EXPECT_EQ(limit("1.000000000").value(), 1);
  EXPECT_EQ(limit("1000000000").value(), 1e9);
  EXPECT_EQ(limit("1000000000.000000000").value(), 1e9);
  EXPECT_EQ(limit("999999999.999999999").value(), 999999999.999999999);
}

TEST(OverheadLimit, AnyOtherTextIsNone) {
  for (const std::string_view text : {"",
                                      " ",
                                      "0",
                                      "0.999999999",
                                      "-1",
                                      "+2",
                                      "1e3",
                                      "nan",
                                      "inf",
                                      ".5",
                                      "2.",
                                      "2.5.5",
                                      "2,5",
                                      " 2",
                                      "2 ",
                                      "0x10",
                                      "2.1234567890",
                                      "1000000001",
                                      "1000000000.000000001",
                                      "99999999999999999999999999",
                                      "1.5x",
                                      "1.-5"})
    EXPECT_FALSE(OverheadLimit::parse(text)) << "'" << text << "'";
}

TEST(OverheadLimit, ItIsExceededOnlyAboveTheExactProduct) {
  EXPECT_FALSE(limit("2.5").exceeded(3, 2));
  EXPECT_TRUE(limit("2.5").exceeded(4, 2));
  // In doubles (1.2 - 1) * 10 is below 2, and (2.3 - 1) * 10 below 13.
  EXPECT_FALSE(limit("1.2").exceeded(2, 10));
  EXPECT_TRUE(limit("1.2").exceeded(3, 10));
  EXPECT_FALSE(limit("2.3").exceeded(13, 10));
  EXPECT_FALSE(limit("1.000000001").exceeded(1, 1'000'000'000));
  EXPECT_TRUE(limit("1.000000001").exceeded(2, 1'000'000'000));
}

TEST(OverheadLimit, WithoutABaselineAnyRematerializationExceedsIt) {
  EXPECT_FALSE(limit("60").exceeded(0, 0));
  EXPECT_TRUE(limit("60").exceeded(1, 0));
  EXPECT_FALSE(limit("1").exceeded(0, 10));
  EXPECT_TRUE(limit("1").exceeded(1, 10));
}

TEST(OverheadLimit, TheLargestCostsDoNotOverflow) {
  using BigInt = boost::multiprecision::cpp_int;
  struct Case {
    std::string_view text;
    std::int64_t billionths;
  };
  for (const Case& c :
       {Case{"1", 1'000'000'000}, Case{"1.000000001", 1'000'000'001}, Case{"2.999999999", 2'999'999'999},
        Case{"60", 60'000'000'000}, Case{"999999999.999999999", 999'999'999'999'999'999},
        Case{"1000000000.000000000", 1'000'000'000'000'000'000}})
    for (const Cost baseline : {Cost{0}, Cost{1}, Cost{999'999'937}, kLargestQuantity - 1, kLargestQuantity}) {
      const BigInt billion = 1'000'000'000, allowed = (BigInt(c.billionths) - billion) * baseline;
      // The largest cost that is allowed, and the one after it, where they are costs at all.
      const BigInt last = std::min<BigInt>(allowed / billion, kLargestCost - 1);
      for (const Cost remat : {Cost{0}, static_cast<Cost>(last), static_cast<Cost>(last) + 1, kLargestCost})
        EXPECT_EQ(limit(c.text).exceeded(remat, baseline), remat * billion > allowed)
            << c.text << ", " << remat << ", " << baseline;
    }
}

}  // namespace
}  // namespace pothole
