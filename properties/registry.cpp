#include "properties/registry.h"

#include "engine/parallel.h"
#include "engine/plugin/plugin_policy.h"
#include "properties/subject.h"

namespace pothole {

std::string_view name_of(Ruling ruling) {
  switch (ruling) {
    case Ruling::holds:
      return "holds";
    case Ruling::violated:
      return "violated";
    case Ruling::not_applicable:
      return "not applicable";
    case Ruling::unresolved:
      return "unresolved";
  }
  return "";
}

std::string_view name_of(Breach breach) {
  switch (breach) {
    case Breach::contract:
      return "contract";
    case Breach::finding:
      return "finding";
    case Breach::promise:
      return "promise";
  }
  return "";
}

Breach breach_of(const Property& property, const ConfiguredPolicy& policy) {
  return property.trusts_policy && is_plugin(policy) ? Breach::promise : property.breach;
}

bool same_fault(const Signature& a, const Signature& b) {
  return a.property == b.property && a.policy == b.policy && a.kind == b.kind;
}

std::span<const Property> properties() {
  static const std::vector<Property> all = {
#define POTHOLE_PROPERTY(name) name##_property(),
#include "properties/properties.def"
#undef POTHOLE_PROPERTY
  };
  return all;
}

const Property* find_property(std::string_view name) {
  for (const Property& property : properties())
    if (property.name == name) return &property;
  return nullptr;
}

Verdict check_property(const Property& property, const Subject& subject) {
  Verdict verdict = property.check(subject);
  if (verdict.violation) {
    verdict.violation->signature.property = property.name;
    verdict.violation->signature.policy = subject.settings().policy.text;
    if (breach_of(property, subject.settings().policy) == Breach::promise) {
      verdict.misbehaved = true;
      verdict.violation->text += "; the plugin is suspected, as it is no function of what it is given";
    }
  }
  return verdict;
}

std::vector<Verdict> check_properties(std::span<const Property* const> wanted, const Subject& subject,
                                      const std::function<void()>& on_checked) {
  std::vector<Verdict> verdicts(wanted.size());
  parallel_for(wanted.size(), [&](std::size_t i) {
    verdicts[i] = check_property(*wanted[i], subject);
    if (on_checked) on_checked();
  });
  return verdicts;
}

}  // namespace pothole
