// Threshold questions and the certificate that they leave.
#include "engine/budget_window.h"

#include <gtest/gtest.h>

namespace pothole {
namespace {

TEST(BudgetWindow, WithoutQuestionsEveryBudgetIsTheSame) {
  EXPECT_EQ(BudgetWindow(10).certificate(), (Certificate{0, Certificate::kUnbounded}));
}

TEST(BudgetWindow, TheTightestAnswersBoundTheCertificate) {
  BudgetWindow window(10);
  EXPECT_TRUE(window.at_least(3));
  EXPECT_TRUE(window.at_least(7));
  EXPECT_TRUE(window.at_least(5));
  EXPECT_FALSE(window.at_least(15));
  EXPECT_FALSE(window.at_least(12));
  EXPECT_FALSE(window.at_least(20));
  EXPECT_EQ(window.certificate(), (Certificate{7, 12}));
}

TEST(BudgetWindow, ABudgetOfExactlyTheThresholdFits) {
  BudgetWindow window(10);
  EXPECT_TRUE(window.at_least(10));
  EXPECT_FALSE(window.at_least(11));
  EXPECT_EQ(window.certificate(), (Certificate{10, 11}));
}

}  // namespace
}  // namespace pothole
