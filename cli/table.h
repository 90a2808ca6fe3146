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

  // The same as a table of GitHub's Markdown: what would be markup in a cell is escaped.
  std::vector<std::string> markdown() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Text in Markdown: what would be markup is escaped.
std::string markdown_text(const std::string& text);

}  // namespace pothole
