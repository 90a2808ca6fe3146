// Files: compression, digests, names, and what cannot be read at all.
#include "corpus/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "corpus/compress.h"
#include "corpus/formats.h"
#include "tests/support/log_lines.h"
#include "tests/support/same_program.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

const std::string kText = as_text(join({{kStart}, constant("c"), call({"c"}, {"a"}), release("c")}));

InputError error_of_file(const fs::path& file) {
  try {
    read_trace(file);
  } catch (const InputError& error) {
    return error;
  }
  return {"", "no error"};
}

void expect_refused(const std::string& bytes, const std::string& what) {
  const InputError error = error_of(bytes);
  EXPECT_EQ(error.where(), "log");
  EXPECT_THAT(error.what_is_wrong(), HasSubstr(what));
}

// Long enough to be read in several pieces, and hard to compress.
std::string long_log(std::size_t tensors) {
  Lines lines = {kStart};
  std::size_t noise = 1;
  for (std::size_t t = 0; t < tensors; ++t) {
    noise = noise * 6364136223846793005u + 1442695040888963407u;
    const Lines one = constant("x" + std::to_string(noise) + "_" + std::to_string(t));
    lines.insert(lines.end(), one.begin(), one.end());
  }
  return as_text(lines);
}

TEST(Trace, TheDigestIsOfTheUncompressedText) {
  // From sha256sum.
  EXPECT_EQ(read_text(kStart + "\n").sha256, "bf172a8d256199ba6a27fced446493697334bad77b2b5538fe363c05840b94e3");
  const std::string digest = read_text(kText).sha256;
  EXPECT_EQ(read_text(gzip_compressed(kText)).sha256, digest);
  EXPECT_EQ(read_text(zstd_compressed(kText)).sha256, digest);
  EXPECT_NE(read_text(kText + "\n").sha256, digest);
  EXPECT_EQ(read_trace_lines(Lines{kStart}, "x").sha256, read_text(kStart + "\n").sha256);
}

TEST(Trace, CompressedFilesAreToldByTheirContent) {
  TemporaryFolder folder;
  const Program plain = read_text(kText).program;
  for (const std::string& bytes : {kText, gzip_compressed(kText), zstd_compressed(kText)})
    for (const char* name : {"a.log", "a.gz", "a.zst", "a"}) {
      put_file(folder / name, bytes);
      const Trace trace = read_trace(folder / name);
      EXPECT_TRUE(same_program(trace.program, plain));
      EXPECT_EQ(trace.name, name);
    }
}

TEST(Trace, LongCompressedTextIsReadInPieces) {
  const std::string text = long_log(20'000);
  const Program plain = read_text(text).program;
  EXPECT_EQ(plain.operators().size(), 20'000u);
  EXPECT_TRUE(same_program(read_text(gzip_compressed(text)).program, plain));
  EXPECT_TRUE(same_program(read_text(zstd_compressed(text)).program, plain));
}

TEST(Trace, SeveralCompressedPartsAreOneText) {
  const std::string head = kText.substr(0, 100), tail = kText.substr(100);
  const std::string skippable("\x52\x2A\x4D\x18\x03\x00\x00\x00xyz", 11);
  const Program plain = read_text(kText).program;
  EXPECT_TRUE(same_program(read_text(gzip_compressed(head) + gzip_compressed(tail)).program, plain));
  EXPECT_TRUE(same_program(read_text(gzip_compressed(kText) + gzip_compressed("")).program, plain));
  EXPECT_TRUE(same_program(read_text(zstd_compressed(head) + zstd_compressed(tail)).program, plain));
  EXPECT_TRUE(same_program(read_text(skippable + zstd_compressed(kText)).program, plain));
}

TEST(Trace, CompressedDataMustBeWhole) {
  for (const std::string& text : {kText, long_log(10'000)}) {
    const std::string gzip = gzip_compressed(text), zstd = zstd_compressed(text);
    for (std::size_t cut : {std::size_t{1}, std::size_t{4}, std::size_t{9}, gzip.size() / 2, gzip.size() - 3})
      expect_refused(gzip.substr(0, gzip.size() - cut), "gzip data is truncated");
    for (std::size_t cut : {std::size_t{1}, std::size_t{4}, zstd.size() / 2, zstd.size() - 6, zstd.size() - 2})
      expect_refused(zstd.substr(0, zstd.size() - cut), "zstd data is truncated");
    expect_refused(gzip + "x", "other data behind the gzip data");
    expect_refused(gzip + std::string(512, '\0'), "other data behind the gzip data");
    expect_refused(gzip + gzip_compressed("\n").substr(0, 20), "truncated");
    expect_refused(zstd + "garbage", "other data behind the zstd data");
    std::string broken = gzip;
    broken[broken.size() - 6] = static_cast<char>(broken[broken.size() - 6] ^ 1);
    expect_refused(broken, "gzip data is corrupt");
  }
  expect_refused("\x1F\x8B", "gzip data is truncated");
  expect_refused("\x1F\x8B garbage that goes on", "gzip data is corrupt");
  expect_refused("\x28\xB5\x2F\xFD garbage that goes on", "zstd data is");
}

TEST(Trace, AnEmptyCompressedTextIsAnEmptyLog) {
  EXPECT_EQ(error_of(gzip_compressed("")).what_is_wrong(), "the log is empty");
  EXPECT_EQ(error_of(zstd_compressed("")).what_is_wrong(), "the log is empty");
}

TEST(Trace, OtherCompressionsAreNamed) {
  expect_refused(
      "\xFD"
      "7zXZ rest",
      "compressed with xz");
  expect_refused("BZh9 rest", "compressed with bzip2");
  expect_refused("PK\x03\x04 rest", "compressed with zip");
}

TEST(Trace, WhatIsNoReadableFileIsRefused) {
  TemporaryFolder folder;
  EXPECT_THAT(error_of_file(folder / "absent.log").what(), HasSubstr("absent.log: no such file"));
  EXPECT_THAT(error_of_file(folder / "absent").where(), HasSubstr("absent"));
  EXPECT_THAT(error_of_file(folder.path()).what(), HasSubstr("is a directory"));
  EXPECT_THAT(error_of_file("").what(), HasSubstr("no such file"));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_of_file(folder / "pipe").what(), HasSubstr("is not a regular file"));
  put_file(folder / "file", kText);
  EXPECT_THAT(error_of_file(folder / "file/inside").what(), HasSubstr("file/inside: "));
  fs::create_symlink("nowhere", folder / "dangling");
  EXPECT_THAT(error_of_file(folder / "dangling").what(), HasSubstr("no such file"));
  fs::create_symlink("file", folder / "link");
  EXPECT_EQ(read_trace(folder / "link").name, "link");
}

TEST(Trace, AFileWithoutPermissionIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read every file";
  TemporaryFolder folder;
  put_file(folder / "secret", kText);
  fs::permissions(folder / "secret", fs::perms::none);
  EXPECT_THAT(error_of_file(folder / "secret").what(), HasSubstr("cannot be read: Permission denied"));
}

TEST(Trace, ErrorsOfAFileNameItsPathAndLine) {
  TemporaryFolder folder;
  put_file(folder / "bad.log", kText + "{}\n");
  EXPECT_EQ(error_of_file(folder / "bad.log").where(), (folder / "bad.log").string() + ":8");
  put_file(folder / "bad.log.gz", gzip_compressed(kText + "{}\n"));
  EXPECT_EQ(error_of_file(folder / "bad.log.gz").where(), (folder / "bad.log.gz").string() + ":8");
}

TEST(Trace, LogsInPlaceHaveTheSameRules) {
  Lines lines = {"\xEF\xBB\xBF" + kStart, "", constant("c")[0] + "\r", constant("c")[1]};
  EXPECT_EQ(read_trace_lines(lines, "batch").program.operators().size(), 1u);
  EXPECT_EQ(read_trace_lines(lines, "batch").name, "batch");
  lines.push_back("{\"INSTR");
  try {
    read_trace_lines(lines, "batch:3");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where(), "batch:3:5");
  }
  ReadOptions options;
  options.allow_torn_tail = true;
  EXPECT_EQ(read_trace_lines(lines, "batch", options).notes.size(), 1u);
}

TEST(Trace, FormatsHaveNamesAndSentencesAndTheLastTakesEverything) {
  ASSERT_GE(trace_formats().size(), 2u);
  for (const TraceFormat& format : trace_formats()) {
    EXPECT_FALSE(format.name.empty());
    EXPECT_TRUE(format.sentence.ends_with('.'));
  }
  EXPECT_TRUE(trace_formats().back().detect(""));
}

}  // namespace
}  // namespace pothole
