// Where a reduction stands, in a file from which it can go on (`pothole-shrink/1`). Written whenever the program has
// become smaller: what comes after in a reduction follows from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/feasibility_map.h"
#include "engine/program.h"

namespace pothole {

struct ShrinkFile {
  std::vector<std::string> settings;  // all that decides, as `key value`
  std::uint64_t operators_before = 0;
  std::string pass;
  std::uint64_t grain = 0;
  std::optional<std::uint64_t> block;
  bool improved = false;
  std::int64_t evaluations = 0;
  std::vector<std::string> others;  // signatures of other holes that were kept
  Witness witness;
  Program program;
};

std::string shrink_text(const ShrinkFile& shrink);

// Throws InputError.
ShrinkFile read_shrink(const std::filesystem::path& file);

}  // namespace pothole
