// corpus/inclusion/: for every policy the smallest program on which it lacks inclusion. The table there is made
// again from all programs within small bounds, so that nothing smaller within them violates it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "corpus/trace.h"
#include "tests/support/shared_data.h"
#include "tests/support/subjects.h"
#include "tests/support/tiny_programs.h"

namespace pothole {
namespace {

const std::filesystem::path kFolder = POTHOLE_SOURCE_DIR "/corpus/inclusion";
constexpr std::uint32_t kOperatorsMax = 4;

// Sizes and costs of 1 and 2, one output each, nothing released.
TinyBounds bounds(std::uint32_t operators) {
  return {operators, /*sizes*/ 1, 2, /*costs*/ 1, 2, /*outputs_max*/ 1, /*releases*/ false};
}

struct Smallest {
  std::string policy;
  std::string listing;  // of the program, as a native trace without a name
  Program program;
  Bytes bytes = 0;
  Cost cost = 0;
  std::string text;
  bool found() const { return !text.empty(); }
};

std::string native_text(const std::string& name, const Program& program) {
  std::ostringstream out;
  write_trace(out, Trace{name, "", program, {}});
  return out.str();
}

// Fewest operators, then fewest bytes, then least cost, then first in the enumeration.
std::vector<Smallest> all_smallest() {
  std::vector<Smallest> all;
  std::vector<RunSettings> settings;
  for (const Policy& policy : policies()) {
    all.push_back({std::string(policy.name), "", {}, 0, 0, ""});
    settings.push_back(settings_with(std::string(policy.name)));
  }
  for (std::uint32_t operators = 1; operators <= kOperatorsMax; ++operators) {
    std::vector<bool> done;
    for (const Smallest& s : all) done.push_back(s.found());
    for_each_tiny_program(bounds(operators), [&](const Program& program) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        Smallest& s = all[i];
        const auto size = std::pair(program.total_size(), program.total_cost());
        if (done[i] || (s.found() && size >= std::pair(s.bytes, s.cost))) continue;
        const Verdict verdict = verdict_on(program, settings[i], "inclusion");
        if (!verdict.violation || verdict.violation->signature.kind != "held") continue;
        s = {s.policy, native_text("", program), program, size.first, size.second, verdict.violation->text};
      }
    });
  }
  return all;
}

// A file is named after the first policy whose smallest violation it is.
const Smallest& first_with_its_program(const std::vector<Smallest>& all, const Smallest& one) {
  return *std::find_if(all.begin(), all.end(), [&](const Smallest& s) { return s.listing == one.listing; });
}

TEST(InclusionCorpus, HasTheSmallestViolationOfEveryPolicy) {
  const std::vector<Smallest> all = all_smallest();
  std::string table = "| policy | program | operators | bytes | violation |\n|---|---|---|---|---|\n";
  std::size_t files = 0;
  const bool update = std::getenv("POTHOLE_UPDATE_GOLDEN") != nullptr;
  for (const Smallest& s : all) {
    if (!s.found()) {
      table += "| " + s.policy + " | none within these bounds | | | |\n";
      continue;
    }
    const std::string name = first_with_its_program(all, s).policy;
    table += "| " + s.policy + " | `" + name + ".json` | " + std::to_string(s.program.operators().size()) + " | " +
             std::to_string(s.bytes) + " | " + s.text + " |\n";
    if (name != s.policy) continue;
    ++files;
    const std::string content = native_text("smallest violation of inclusion by " + name, s.program);
    if (update) put_file(kFolder / (name + ".json"), content);
    EXPECT_EQ(file_content(kFolder / (name + ".json")), content);
  }
  const std::string readme = file_content(kFolder / "README.md");
  if (update) put_file(kFolder / "README.md", readme.substr(0, readme.find("| policy |")) + table);
  EXPECT_NE(file_content(kFolder / "README.md").find(table), std::string::npos) << table;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) files -= entry.path().extension() == ".json";
  EXPECT_EQ(files, 0u) << "a file that is nobody's smallest";
}

}  // namespace
}  // namespace pothole
