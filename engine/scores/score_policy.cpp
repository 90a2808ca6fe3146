#include "engine/scores/score_policy.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/scan.h"
#include "engine/scores/formula.h"

namespace pothole {
namespace {

// A formula for one comparison mode, and which scan it allows.
struct Prepared {
  Formula formula;
  bool lazy = false;
  bool shortlists = false;

  explicit Prepared(Formula made) : formula(std::move(made)) {
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
  std::vector<Prepared> prepared;  // by Comparison
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

std::vector<Ranked> rank(PoolView& pool, const ConfiguredPolicy& configured) {
  const auto& data = static_cast<const ScorePolicy&>(*configured.data);
  const FormulaScorer scorer{data.prepared[static_cast<std::size_t>(pool.comparison())]};
  std::vector<Ranked> ranked;
  ranked.reserve(pool.size());
  for (StorageId s : pool.slots()) {
    if (s == kNone) continue;
    pool.learn_regions(s);
    const FormulaScore score = scorer.of(pool, s);
    const bool is_fraction = score.denominator > 0 && pool.comparison() != Comparison::naive;
    ranked.push_back(
        {s, is_fraction ? exact::rounded_quotient(score.numerator, static_cast<unsigned __int128>(score.denominator))
                        : score.approximate});
  }
  return ranked;
}

// A score is shown in one line: each run of blanks is one, and there are none around it.
std::string in_one_line(std::string_view text) {
  std::string line;
  for (char byte : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(byte)) != 0;
    if (!blank)
      line += byte;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

// NAME=EXPRESSION taken apart. The name is empty where the text begins as an expression does: an '=' behind an operator
// is a mistake in that.
std::pair<std::string_view, std::string_view> parts_of(std::string_view text) {
  const std::size_t equals = text.find_first_of("=+*/^()<>!?:,");
  const bool names = equals != text.npos && equals > 0 && text[equals] == '=';
  if (!names || text.substr(equals + 1).find_first_of("=<>") == 0) return {{}, text};
  std::string_view name = text.substr(0, equals), expression = text.substr(equals + 1);
  if (name.ends_with(' ')) name.remove_suffix(1);
  if (expression.starts_with(' ')) expression.remove_prefix(1);
  return {name, expression};
}

bool is_name(std::string_view text) {
  return text.size() <= kNameLengthMax && std::isalpha(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](char byte) {
           return std::isalnum(static_cast<unsigned char>(byte)) || byte == '_' || byte == '-';
         });
}

bool is_named_well(std::string_view name, PolicyError& error) {
  const auto is_word = [&](const auto& infos) {
    return std::any_of(infos.begin(), infos.end(), [&](const auto& info) { return info.name == name; });
  };
  const std::string shown = "'" + shortened(name) + "'";
  if (!is_name(name))
    error = {shown + " is no name for a score",
             "a name has a letter first, then letters, digits, '_' and '-', at most " + std::to_string(kNameLengthMax) +
                 " in all; equality is written =="};
  else if (is_word(score_variables()) || is_word(score_functions()))
    error = {"a score cannot have the name " + shown + ", which is a word of expressions", "equality is written =="};
  else if (find_policy(name) != nullptr)
    error = {"a score cannot have the name " + shown + ", which is a policy's", "give it a name of its own"};
  else
    return true;
  return false;
}

// Null, and the error set, if the text is no expression or one that is too wide.
std::shared_ptr<ScorePolicy> policy_of(std::string_view expression_text, ExpressionError& error) {
  const auto expression = parse_expression(expression_text, error);
  if (!expression) return nullptr;
  auto data = std::make_shared<ScorePolicy>();
  for (const Comparison comparison : {Comparison::reference, Comparison::exact, Comparison::naive}) {
    auto formula = formula_of(*expression, comparison, error);
    if (!formula) return nullptr;
    data->prepared.emplace_back(std::move(*formula));
  }
  return data;
}

}  // namespace

ConfiguredPolicy configure_score(std::string_view text, PolicyError& error) {
  const std::string line = in_one_line(text);
  const auto [name, expression_text] = parts_of(line);
  if (!name.empty() && !is_named_well(name, error)) return {};
  ExpressionError mistake;
  const auto data = policy_of(expression_text, mistake);
  if (!data) {
    error = {pointed_out(expression_text, mistake), mistake.fix};
    return {};
  }
  data->expression_text = expression_text;
  data->label = name.empty() ? expression_text : name;
  data->record.name = data->label;
  data->record.sentence = "a score given as an expression";
  data->record.formula = data->expression_text;
  data->record.needs = data->prepared.front().formula.needs;
  data->record.choose = choose;
  data->record.rank = rank;
  ConfiguredPolicy configured;
  configured.policy = &data->record;
  configured.text = name.empty() ? data->expression_text : data->label + "=" + data->expression_text;
  configured.data = data;
  return configured;
}

}  // namespace pothole
