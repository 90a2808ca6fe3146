// A reduction whose state is on disk: it goes on from there, and each improvement is kept at once.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/hole_origin.h"
#include "corpus/case_file.h"
#include "corpus/shrink_file.h"
#include "shrinker/shrink.h"

namespace pothole {

struct ReductionPlan {
  HoleOrigin origin;
  ShrinkSettings settings;
  std::filesystem::path folder;  // of the result, of other holes met and of the state
};

class Reduction {
 public:
  // Takes over the state of an earlier one if `resume`. Throws InputError: there is none, or there is one that would be
  // lost, or it is of other settings.
  Reduction(const ReductionPlan& plan, bool resume);

  const std::filesystem::path& state_file() const { return file_; }
  std::size_t others() const { return others_.size(); }
  // Of the best so far.
  std::size_t operators() const { return shrinker_.state().program.operators().size(); }

  // Calls `on_evaluated` often.
  void run(unsigned threads, const std::function<void(const ShrinkState&)>& on_evaluated);
  const Shrinker& shrinker() const { return shrinker_; }

  // Keeps the result, and drops the state if it is done. The case and its file.
  std::pair<Case, std::filesystem::path> finish(const std::string& claim);

 private:
  ShrinkState begun(bool resume);
  ShrinkListener listener();
  void keep_state(const ShrinkState& state) const;
  void keep_other(const Program& program, const Answer::Other& other);
  Case case_of(const Program& program, const Witness& witness, const std::string& note) const;

  const ReductionPlan& plan_;
  const std::vector<std::string> settings_;
  const std::filesystem::path file_;
  std::vector<std::string> others_;  // signatures
  std::function<void(const ShrinkState&)> on_evaluated_;
  Shrinker shrinker_;
};

}  // namespace pothole
