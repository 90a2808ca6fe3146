// Columns of text for people, aligned; numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace pothole {

class Table {
 public:
  struct Column {
    std::string title;
    bool right = false;
  };

  explicit Table(std::vector<Column> columns);

  // As many cells as there are columns.
  void add_row(std::vector<std::string> cells);

  bool empty() const { return rows_.empty(); }

  // The title line first; every line starts with `indent` and has no blanks at its end.
  std::vector<std::string> lines(const std::string& indent = "") const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace pothole
