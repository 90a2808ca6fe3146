// Widths are counted in UTF-8 characters, so that names outside ASCII do not break the columns.
#include "cli/table.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace pothole {
namespace {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void append_cell(std::string& line, const std::string& text, std::size_t width, bool right) {
  const std::string fill(width - width_of(text), ' ');
  line += right ? fill + text : text + fill;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::vector<std::string> Table::lines(const std::string& indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(width_of(columns_[c].title));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::vector<std::string> lines;
  const auto add_line = [&](const auto& text_of) {
    std::string line = indent;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (c > 0) line += "  ";
      append_cell(line, text_of(c), widths[c], columns_[c].right);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  };
  add_line([&](std::size_t c) { return columns_[c].title; });
  for (const auto& row : rows_) add_line([&](std::size_t c) { return row[c]; });
  return lines;
}

std::vector<std::string> Table::markdown() const {
  std::vector<std::string> lines;
  const auto add_line = [&](const auto& text_of) {
    std::string line = "|";
    for (std::size_t c = 0; c < columns_.size(); ++c) line += " " + text_of(c) + " |";
    lines.push_back(std::move(line));
  };
  add_line([&](std::size_t c) { return markdown_text(columns_[c].title); });
  add_line([&](std::size_t c) { return std::string(columns_[c].right ? "---:" : "---"); });
  for (const auto& row : rows_) add_line([&](std::size_t c) { return markdown_text(row[c]); });
  return lines;
}

std::string markdown_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\`*_|<>[]").find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

}  // namespace pothole
