// Programs, settings and subjects for tests of properties.
#pragma once

#include <string>
#include <vector>

#include "properties/subject.h"

namespace pothole {

// Throws where the text names no policy.
RunSettings settings_with(const std::string& policy, Dealloc dealloc = Dealloc::eager);

struct PlainOperator {
  Cost cost = 0;
  Bytes size = 0;
  std::vector<TensorId> arguments;
  std::vector<TensorId> released;  // after it
};

// One fresh output each, t0, t1, ... in order.
Program plain_program(const std::vector<PlainOperator>& operators, const std::vector<TensorId>& pins);

// corpus/seeds/five-operators.log: peak 17, and under DTR one hole, from 13 to 15.
const Program& five_operators();

// Over every budget from 1 to the peak and one beyond.
CheckPlan whole_plan(const Program& program);

// The verdict of one property on one policy over the whole plan.
Verdict verdict_on(const Program& program, const RunSettings& settings, const std::string& property);
Verdict verdict_on(const Program& program, const RunSettings& settings, const std::string& property, CheckPlan plan);

// "kind at place, budgets a b, storages t": everything in a violation but its text. Or the ruling.
std::string shown(const Verdict& verdict);

}  // namespace pothole
