// The list of policies and how their names and parameters are read.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/policy.h"

namespace pothole {
namespace {

PolicyError error_of_policy(std::string_view text) {
  PolicyError error;
  EXPECT_EQ(configure_policy(text, error).policy, nullptr) << text;
  return error;
}

ConfiguredPolicy configured(std::string_view text) {
  PolicyError error;
  const ConfiguredPolicy policy = configure_policy(text, error);
  EXPECT_NE(policy.policy, nullptr) << text << ": " << error.what;
  return policy;
}

TEST(Policies, NamesAndAliasesAreUnique) {
  std::set<std::string_view> names;
  for (const Policy& policy : policies()) {
    EXPECT_TRUE(names.insert(policy.name).second) << policy.name;
    if (!policy.alias.empty()) {
      EXPECT_TRUE(names.insert(policy.alias).second) << policy.alias;
    }
  }
  EXPECT_GE(policies().size(), 28u);
}

TEST(Policies, EachSaysWhatItDoesAndWhereItIsFrom) {
  for (const Policy& policy : policies()) {
    SCOPED_TRACE(policy.name);
    EXPECT_FALSE(policy.name.empty());
    EXPECT_FALSE(policy.sentence.empty());
    EXPECT_FALSE(policy.formula.empty());
    EXPECT_FALSE(policy.source.empty());
    EXPECT_NE(policy.choose, nullptr);
    EXPECT_LE(policy.parameters.size(), kParametersMax);
    for (const Parameter& p : policy.parameters) {
      EXPECT_FALSE(p.key.empty());
      EXPECT_FALSE(p.help.empty());
      EXPECT_LE(p.least, p.standard);
      EXPECT_LE(p.standard, p.most);
    }
  }
}

TEST(Policies, AreFoundByNameAndByAliasInExactSpelling) {
  for (const Policy& policy : policies()) {
    EXPECT_EQ(find_policy(policy.name), &policy);
    if (!policy.alias.empty()) {
      EXPECT_EQ(find_policy(policy.alias), &policy);
    }
  }
  EXPECT_EQ(find_policy("AbESizeStale"), find_policy("DTR"));
  EXPECT_EQ(find_policy("AbEqSizeStale"), find_policy("DTREqClass"));
  EXPECT_EQ(find_policy("AbLocalSizeStale"), find_policy("DTRLocal"));
  EXPECT_EQ(find_policy("AbSize"), find_policy("LargestStorage"));
  EXPECT_EQ(find_policy("AbRandom"), find_policy("RandomStorage"));
  for (const std::string_view text : {"", "dtr", "DTR ", "Dtr"}) EXPECT_EQ(find_policy(text), nullptr) << text;
}

TEST(Policies, FeaturesHaveNames) {
  EXPECT_TRUE(names_of(find_policy("LRU")->needs).empty());
  const std::vector<std::string_view> dtr = {"forward", "reverse"};
  EXPECT_EQ(names_of(find_policy("DTR")->needs), dtr);
  const std::vector<std::string_view> two_phase = {"forward", "reverse", "budget"};
  EXPECT_EQ(names_of(find_policy("TwoPhase")->needs), two_phase);
  const std::vector<std::string_view> thrash_pen = {"forward", "reverse", "evictions"};
  EXPECT_EQ(names_of(find_policy("ThrashPen")->needs), thrash_pen);
  const std::vector<std::string_view> t_control = {"forward", "reverse", "budget", "centrality"};
  EXPECT_EQ(names_of(find_policy("TControlInspired")->needs), t_control);
  EXPECT_EQ(names_of(find_policy("FIFO")->needs), std::vector<std::string_view>{"arrivals"});
  EXPECT_EQ(names_of(find_policy("Belady")->needs), std::vector<std::string_view>{"next_use"});
}

TEST(Policies, ParametersAreTheStandardOnesUnlessGiven) {
  EXPECT_EQ(configured("NbhdPenalty").values[0], 0.25);
  EXPECT_EQ(configured("NbhdPenalty@b=0.5").values[0], 0.5);
  EXPECT_EQ(configured("NbhdPenalty@b=0").values[0], 0);
  EXPECT_EQ(configured("NbhdPenalty@b=1e6").values[0], 1e6);
  EXPECT_EQ(configured("TwoPhase").values[0], 8);
  EXPECT_EQ(configured("TwoPhase@k=1").values[0], 1);
  EXPECT_EQ(configured("TwoPhase@k=1").text, "TwoPhase@k=1");
  EXPECT_EQ(configured("LRU").text, "LRU");
  EXPECT_EQ(configured("ThrashPen").values[0], 1);
  EXPECT_EQ(configured("TieAware").values[0], 1e-6);
  EXPECT_EQ(configured("TControlInspired@floor=0.5").values, (ParameterValues{0.3, 0.5}));
  EXPECT_EQ(configured("TControlInspired@alpha=0,floor=1").values, (ParameterValues{0, 1}));
}

TEST(Policies, ValuesOutsideTheirRangeAreRefusedWithTheRange) {
  for (const std::string_view value :
       {"-0.1", "1000001", "nan", "inf", "-inf", "", "x", "0.5x", " 0.5", "0x1", "1e999"}) {
    const PolicyError error = error_of_policy("NbhdPenalty@b=" + std::string(value));
    EXPECT_EQ(error.what, "'" + std::string(value) + "' is no value of NbhdPenalty's b");
    EXPECT_EQ(error.fix, "give a number from 0 to 1e+06 (penalty per neighbour)");
  }
  for (const std::string_view value : {"0", "-1", "2.5", "1e7"}) {
    const PolicyError error = error_of_policy("TwoPhase@k=" + std::string(value));
    EXPECT_EQ(error.what, "'" + std::string(value) + "' is no value of TwoPhase's k");
    EXPECT_TRUE(error.fix.starts_with("give a whole number from 1 to 1e+06")) << error.fix;
  }
}

TEST(Policies, UnknownSettingsAreRefusedWithTheKeysThereAre) {
  EXPECT_EQ(error_of_policy("NbhdPenalty@c=1").what, "'c=1' is not a setting of policy NbhdPenalty");
  for (const Policy& policy : policies()) {
    for (const Parameter& p : policy.parameters) {
      std::ostringstream setting;
      setting << p.key << "=" << p.standard;
      const std::string name(policy.name), key(p.key), once = setting.str();
      PolicyError none;
      EXPECT_NE(configure_policy(name + "@" + once, none).policy, nullptr) << once;
      EXPECT_EQ(error_of_policy(name + "@" + once + "," + once).what, "parameter '" + key + "' is given twice");
      for (const Parameter& other : policy.parameters) {
        if (other.key == p.key) continue;
        std::ostringstream between;
        between << other.key << "=" << other.standard;
        EXPECT_EQ(error_of_policy(name + "@" + once + "," + between.str() + "," + once).what,
                  "parameter '" + key + "' is given twice");
      }
    }
  }
  EXPECT_EQ(error_of_policy("NbhdPenalty@c=1").fix, "NbhdPenalty has: b");
  EXPECT_EQ(error_of_policy("DTR@b=1").fix, "DTR has no parameters");
  EXPECT_EQ(error_of_policy("AbESizeStale@b=1").fix, "DTR has no parameters");
  for (const char* text :
       {"NbhdPenalty@", "NbhdPenalty@b", "NbhdPenalty@=1", "NbhdPenalty@b=1,", "NbhdPenalty@B=1", "NbhdPenalty@ b=1"})
    EXPECT_EQ(error_of_policy(text).fix, "NbhdPenalty has: b") << text;
}

TEST(Policies, AnUnknownNameIsAnsweredWithTheNearestOne) {
  EXPECT_EQ(error_of_policy("DRT").what, "there is no policy 'DRT'");
  const auto meant = [](std::string_view text) { return error_of_policy(text).fix; };
  EXPECT_TRUE(meant("dtr").starts_with("did you mean DTR?"));
  EXPECT_TRUE(meant("lru").starts_with("did you mean LRU?"));
  EXPECT_TRUE(meant("NbhPenalty@b=1").starts_with("did you mean NbhdPenalty?"));
  EXPECT_TRUE(meant("two-phase").starts_with("did you mean TwoPhase?"));
  EXPECT_TRUE(meant("AbEqSizeStal").starts_with("did you mean AbEqSizeStale?"));
  EXPECT_EQ(meant("somethingelse"), "`pothole list policies` shows them all");
  EXPECT_EQ(meant(""), "`pothole list policies` shows them all");
}

}  // namespace
}  // namespace pothole
