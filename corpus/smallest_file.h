// Where a search for the smallest hole stands, in a file from which it can go on (`pothole-smallest-checkpoint/1`).
// Searches with the same settings have the same file at the same place, whatever interrupted them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/units.h"

namespace pothole {

struct SmallestFile {
  // A program by its place in the enumeration of those with as many operators.
  struct Hole {
    std::uint64_t skeleton = 0;
    std::vector<Bytes> sizes;
    std::vector<Cost> costs;
    friend bool operator==(const Hole&, const Hole&) = default;
  };
  std::vector<std::string> settings;  // all that decides, as `key value`
  std::uint32_t operators = 1, edges = 0;
  std::uint64_t next_skeleton = 0;
  bool misbehaved = false;
  std::optional<Hole> best;
  friend bool operator==(const SmallestFile&, const SmallestFile&) = default;
};

std::string smallest_text(const SmallestFile& file);

// Throws InputError.
SmallestFile read_smallest(const std::filesystem::path& file);

}  // namespace pothole
