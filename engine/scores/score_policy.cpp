#include "engine/scores/score_policy.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <string>

#include "engine/scan.h"
#include "engine/scores/formula.h"

namespace pothole {
namespace {

// A formula for one comparison mode, and which scan it allows.
struct Prepared {
  Formula formula;
  bool lazy = false;
  bool shortlists = false;

  Prepared(const Expression& expression, Comparison comparison) : formula(formula_of(expression, comparison)) {
    const Behaviour b = behaviour_of(formula);
    const bool walks = formula.needs.has(Feature::forward) || formula.needs.has(Feature::reverse);
    lazy = walks && !formula.needs.has(Feature::classes) && b.defined && !b.negative &&
           !b.trend(InputGroup::neighbourhood).falls;
    const Trend passing = b.trend(InputGroup::passing);
    shortlists = lazy && !b.trend(InputGroup::staleness).rises && !b.trend(InputGroup::growing).falls &&
                 !passing.rises && !passing.falls;
  }
};

struct ScorePolicy : PolicyData {
  std::string label, expression_text;
  std::array<Prepared, 3> prepared;  // by Comparison

  explicit ScorePolicy(const Expression& expression)
      : prepared{Prepared(expression, Comparison::reference), Prepared(expression, Comparison::exact),
                 Prepared(expression, Comparison::naive)} {}
};

WideCost input(PoolView& pool, const Candidate& c, StorageId s, Variable variable) {
  switch (variable) {
    case Variable::c:
      return c.compute;
    case Variable::e:
      return c.forward + c.reverse;
    case Variable::ef:
      return c.forward;
    case Variable::er:
      return c.reverse;
    case Variable::n:
      return c.neighbours;
    case Variable::q:
      return c.classes;
    case Variable::m:
      return c.size;
    case Variable::s:
      return c.staleness;
    case Variable::a:
      return c.last_access;
    case Variable::k:
      return c.evictions;
    case Variable::d:
      return pool.tensors_of(s);
    case Variable::x:
      return pool.children_of(s);
    case Variable::clock:
      return pool.clock();
    case Variable::resident:
      return pool.resident();
    case Variable::need:
      return pool.request();
  }
  return 0;
}

struct FormulaScorer {
  using Value = FormulaScore;
  static constexpr bool kMayFail = true;
  const Prepared& prepared;

  Features needs() const { return prepared.formula.needs; }
  bool has_shortlists() const { return prepared.shortlists; }

  ScoreInputs inputs(PoolView& pool, const Candidate& candidate, StorageId s) const {
    ScoreInputs inputs;
    for (Variable v : prepared.formula.variables) inputs[static_cast<std::size_t>(v)] = input(pool, candidate, s, v);
    return inputs;
  }
  Value of(PoolView& pool, StorageId s) const {
    return score_of(prepared.formula, inputs(pool, pool.candidate(s, needs()), s));
  }
  Value of_until(PoolView& pool, StorageId s) const {
    return score_of(prepared.formula, inputs(pool, pool.candidate_until(s, pool.shortlist()), s));
  }
  static double approximate(const Value& value) { return value.approximate; }
  static bool zero(const Value& value) { return value.zero; }
  int compare(PoolView& pool, const Value& a, StorageId s, const Value& b, StorageId t) const {
    if (const auto order = pothole::compare(prepared.formula, a, b)) return *order;
    return compare_fractions(prepared.formula, inputs(pool, pool.candidate(s, needs()), s),
                             inputs(pool, pool.candidate(t, needs()), t));
  }
};

StorageId choose(PoolView& pool, const ConfiguredPolicy& configured) {
  const auto& data = static_cast<const ScorePolicy&>(*configured.data);
  const Prepared& prepared = data.prepared[static_cast<std::size_t>(pool.comparison())];
  const FormulaScorer scorer{prepared};
  if (prepared.lazy) return scan::lazily(pool, scorer);
  // In order every score is known.
  if (scorer.needs().has(Feature::forward) || scorer.needs().has(Feature::reverse))
    for (StorageId s : pool.slots())
      if (s != kNone && !pool.regions_known(s, scorer.needs())) pool.learn_regions(s);
  return scan::in_order(pool, scorer);
}

bool is_name(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](char byte) {
           return std::isalnum(static_cast<unsigned char>(byte)) || byte == '_' || byte == '-';
         });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

}  // namespace

ConfiguredPolicy configure_score(std::string_view text, PolicyError& error) {
  std::string_view name, expression_text = trimmed(text);
  const std::size_t equals = expression_text.find('=');
  if (equals != text.npos && expression_text.substr(equals, 2) != "==" &&
      is_name(trimmed(expression_text.substr(0, equals)))) {
    name = trimmed(expression_text.substr(0, equals));
    expression_text = trimmed(expression_text.substr(equals + 1));
  }
  const auto is_word = [&](const auto& infos) {
    return std::any_of(infos.begin(), infos.end(), [&](const auto& info) { return info.name == name; });
  };
  if (is_word(score_variables()) || is_word(score_functions())) {
    error = {"a score cannot have the name '" + std::string(name) + "', which is a word of expressions",
             "equality is written =="};
    return {};
  }
  ExpressionError mistake;
  const auto expression = parse_expression(expression_text, mistake);
  if (!expression) {
    error = {pointed_out(expression_text, mistake), mistake.fix};
    return {};
  }
  const auto data = std::make_shared<ScorePolicy>(*expression);
  data->expression_text = expression_text;
  data->label = name.empty() ? expression_text : name;
  data->record.name = data->label;
  data->record.sentence = "a score given as an expression";
  data->record.formula = data->expression_text;
  data->record.needs = data->prepared.front().formula.needs;
  data->record.choose = choose;
  ConfiguredPolicy configured;
  configured.policy = &data->record;
  configured.text = name.empty() ? data->expression_text : data->label + "=" + data->expression_text;
  configured.data = data;
  return configured;
}

}  // namespace pothole
