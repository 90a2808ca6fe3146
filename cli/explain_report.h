// An explanation as ordered sentences, tables, a schedule and JSON.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/explanation.h"

namespace pothole {

// One thing that happened, with the numbers that it is told with.
struct Sentence {
  std::string name;  // of what it tells, for scripts
  std::string text;
  std::vector<std::pair<std::string, std::int64_t>> numbers;
};

// In the order in which one would tell it.
std::vector<Sentence> account_of(const Explanation& e);

// `details`: with the tables that Markdown has.
std::string explain_report_text(const Explanation& e, bool colours, bool details);
std::string explain_report_markdown(const Explanation& e);
std::string explain_report_json(const Explanation& e);

// "storage 3131 (t3131)": by the index of its root tensor, and by its name if that is another.
std::string storage_text(const Program& program, StorageId storage);
std::string tensor_text(const Program& program, TensorId tensor);

}  // namespace pothole
