// A checkpoint is read as it was written, or refused.
#include "corpus/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/input_error.h"
#include "corpus/sha256.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using testing::HasSubstr;

Checkpoint made_by_hand() {
  CheckpointMap map;
  map.trace_name = "a \"quoted\" name";
  map.trace_sha256 = "00ff";
  map.policy = "TwoPhase@k=2";
  map.dealloc = "eager";
  map.overhead_limit = "2.5";
  map.comparison = "reference";
  map.seed = UINT64_MAX;
  map.range = {10, 100};
  map.work = {1, 2, 3};
  map.executions = {{10, 20, Outcome::oom, "", 5, 6},
                    {25, 30, Outcome::unresolved, "step limit", 5, 6},
                    {30, 31, Outcome::thrashed, "", 7, INT64_MAX},
                    {99, 100, Outcome::ok, "", 0, 0}};
  SweepPart part;
  part.place = 7;
  part.work = {4, 5, 6};
  part.steps_since_look = 1;
  part.steps_since_shed = 2;
  part.steps_before_shedding = 3;
  part.states = {{UINT64_MAX, false, {{40, 45, 8}, {50, 60, 9}}}, {11, true, {{46, 50, 0}}}};
  map.under_way = {nullptr, std::make_shared<const SweepPart>(part)};
  CheckpointMap empty = map;
  empty.under_way.clear();
  empty.executions.clear();
  return {"1.2.3", {map, empty}};
}

std::string refusal_of(const std::string& text) {
  const TemporaryFolder folder;
  put_file(folder / "checkpoint", text);
  try {
    read_checkpoint(folder / "checkpoint");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Checkpoint, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  const Checkpoint written = made_by_hand();
  put_file(folder / "checkpoint", checkpoint_text(written));
  const Checkpoint read = read_checkpoint(folder / "checkpoint");
  EXPECT_EQ(read.tool, "1.2.3");
  ASSERT_EQ(read.maps.size(), 2u);
  const CheckpointMap& map = read.maps[0];
  EXPECT_EQ(map.trace_name, "a \"quoted\" name");
  EXPECT_EQ(map.policy, "TwoPhase@k=2");
  EXPECT_EQ(map.overhead_limit, "2.5");
  EXPECT_EQ(map.seed, UINT64_MAX);
  EXPECT_EQ(map.range.to, 100);
  EXPECT_EQ(map.work, written.maps[0].work);
  std::vector<Execution> wanted = written.maps[0].executions;
  wanted.erase(wanted.begin() + 1);  // what is unresolved is not kept
  EXPECT_EQ(map.executions, wanted);
  ASSERT_EQ(map.under_way.size(), 1u);  // parts that have ended are not kept
  EXPECT_EQ(*map.under_way[0], *written.maps[0].under_way[1]);
  EXPECT_TRUE(read.maps[1].executions.empty());
  EXPECT_EQ(checkpoint_text(read), checkpoint_text(written));
}

TEST(Checkpoint, EveryTornOrChangedFileIsRefused) {
  const std::string text = checkpoint_text(made_by_hand());
  ASSERT_EQ(refusal_of(text), "accepted");
  for (std::size_t size = 0; size < text.size(); ++size)
    ASSERT_NE(refusal_of(text.substr(0, size)), "accepted") << size;
  for (std::size_t at = text.find('\n') + 1; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    ASSERT_THAT(refusal_of(changed), HasSubstr("is torn or was edited")) << at;
  }
  EXPECT_NE(refusal_of(text + "x"), "accepted");
  EXPECT_THAT(refusal_of("{\"format\":\"pothole-trace/1\"}\n"), HasSubstr("checkpoint:1: is not a checkpoint"));
  EXPECT_THAT(refusal_of("[]"), HasSubstr("is not a checkpoint"));
  EXPECT_THAT(refusal_of("{\"format\":\"pothole-checkpoint/2\"}\n"),
              HasSubstr("checkpoint:1: is a checkpoint of another version, pothole-checkpoint/2; this pothole reads "
                        "pothole-checkpoint/1 (go on with the pothole that wrote it, or start again without it)"));
}

// Behind a digest that somebody has computed anew.
TEST(Checkpoint, CountsThatCouldOverflowAreRefused) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  const auto refusal = [](auto change) {
    Checkpoint checkpoint = made_by_hand();
    SweepPart part = *checkpoint.maps[0].under_way[1];
    change(checkpoint.maps[0].work, part);
    checkpoint.maps[0].under_way = {std::make_shared<const SweepPart>(part), nullptr};
    return refusal_of(checkpoint_text(checkpoint));
  };
  EXPECT_EQ(refusal([](SearchWork& w, SweepPart&) { w.states_merged = kMost - 4; }), "accepted");
  EXPECT_THAT(refusal([](SearchWork& w, SweepPart&) { w.states_merged = kMost; }), HasSubstr("add up to more"));
  EXPECT_THAT(refusal([](SearchWork& w, SweepPart&) { w.execution_steps = kMost - 6; }), HasSubstr("add up to more"));
  for (const std::int64_t wrong : {kMost + 1, std::int64_t{INT64_MAX}}) {
    EXPECT_THAT(refusal([&](SearchWork& w, SweepPart&) { w.distinct_steps = wrong; }), HasSubstr("more than 2^53"));
    EXPECT_THAT(refusal([&](SearchWork&, SweepPart& p) { p.work.execution_steps = wrong; }), HasSubstr("2^53"));
    EXPECT_THAT(refusal([&](SearchWork&, SweepPart& p) { p.steps_since_look = wrong; }), HasSubstr("2^53"));
    EXPECT_THAT(refusal([&](SearchWork&, SweepPart& p) { p.steps_since_shed = wrong; }), HasSubstr("2^53"));
    EXPECT_THAT(refusal([&](SearchWork&, SweepPart& p) { p.steps_before_shedding = wrong; }), HasSubstr("2^53"));
    EXPECT_THAT(refusal([&](SearchWork&, SweepPart& p) { p.place = static_cast<std::size_t>(wrong); }),
                HasSubstr("2^53"));
    EXPECT_THAT(refusal([&](SearchWork&, SweepPart& p) { p.states[0].branches[0].steps = wrong; }), HasSubstr("2^40"));
  }
}

// A file whose digest is right and whose content is not.
std::string with_map(const std::string& line) {
  Sha256 digest;
  digest.add(line + "\n");
  return R"({"format":"pothole-checkpoint/1","tool":"1","maps":1,"sha256":")" + digest.hex() + "\"}\n" + line + "\n";
}

std::string line(const std::string& range, const std::string& executions, const std::string& under_way = "[]",
                 const std::string& more = "") {
  return R"({"trace":{"name":"a","sha256":"b"},"policy":"DTR","dealloc":"eager","overhead_limit":"60",)"
         R"("comparison":"reference","seed":0,"range":)" +
         range + R"(,"work":{"states_merged":0,"distinct_steps":0,"execution_steps":0},"under_way":)" + under_way +
         R"(,"executions":)" + executions + more + "}";
}

TEST(Checkpoint, PartsAreCheckedBehindTheDigest) {
  const auto part = [](const std::string& states, const std::string& place = "7") {
    return R"([{"place":)" + place +
           R"(,"work":{"states_merged":0,"distinct_steps":0,"execution_steps":0},"steps_since_look":0,)"
           R"("steps_since_shed":0,"steps_before_shedding":1,"states":)" +
           states + "}]";
  };
  const auto state = [](const std::string& branches) {
    return R"({"digest":18446744073709551615,"done":false,"branches":)" + branches + "}";
  };
  const auto refusal = [](const std::string& parts) {
    return refusal_of(with_map(line("[1,9]", R"([[1,3,"ok",0,0]])", parts)));
  };
  EXPECT_EQ(refusal(part("[" + state("[[3,4,0],[6,9,1]]") + "," + state("[[4,6,0]]") + "]")), "accepted");
  for (const char* wrong :
       {"[]", "[[2,4,0]]", "[[3,3,0]]", "[[8,10,0]]", "[[5,6,0],[3,4,0]]", "[[3,5,0],[4,6,0]]", "[[3,4]]", "[[3,4,-1]]",
        "[[3,4,9223372036854775807]]", "[[3,4,1099511627777]]", "[]", "[[0,4,0]]", "{}", "[1]"})
    EXPECT_THAT(refusal(part("[" + state(wrong) + "]")), HasSubstr("checkpoint:2: ")) << wrong;
  EXPECT_THAT(refusal(part("[" + state("[[3,4,0]]") + "," + state("[[3,4,0]]") + "]")), HasSubstr("disjoint"));
  EXPECT_THAT(refusal(part("[]")), HasSubstr("checkpoint:2: "));
  EXPECT_THAT(refusal(part("[" + state("[[3,4,0]]") + "]", "-1")), HasSubstr("checkpoint:2: "));
  EXPECT_THAT(refusal("{}"), HasSubstr("\"under_way\" must be an array"));
  EXPECT_THAT(refusal("[1]"), HasSubstr("checkpoint:2: "));
}

TEST(Checkpoint, ContentIsCheckedBehindTheDigest) {
  EXPECT_EQ(refusal_of(with_map(line("[1,9]", R"([[1,3,"ok",0,0],[3,9,"oom",1,1]])"))), "accepted");
  for (const char* wrong :
       {R"([[1,4,"ok",0,0],[3,9,"ok",0,0]])", R"([[5,9,"ok",0,0],[1,3,"ok",0,0]])", R"([[0,3,"ok",0,0]])",
        R"([[1,10,"ok",0,0]])", R"([[3,3,"ok",0,0]])", R"([[1,3,"unresolved",0,0]])", R"([[1,3,"ok",0]])",
        R"([[1,3,"ok",0,-1]])", R"([[1,3.0,"ok",0,1]])", R"([[1,3,"ok",0,9223372036854775808]])", R"([1])", "{}"}) {
    EXPECT_THAT(refusal_of(with_map(line("[1,9]", wrong))), HasSubstr("checkpoint:2: ")) << wrong;
  }
  for (const char* wrong : {"[0,9]", "[9,9]", "[9,1]", "[1]", "[1,9,10]", "[1,9223372036854775807]", "\"1\""})
    EXPECT_THAT(refusal_of(with_map(line(wrong, "[]"))), HasSubstr("checkpoint:2: ")) << wrong;
  EXPECT_THAT(refusal_of(with_map(line("[1,9]", "[]", "[]", ",\"extra\":1"))), HasSubstr("unknown key \"extra\""));
  EXPECT_THAT(refusal_of(with_map(R"({"trace":{"name":"a","sha256":"b"}})")), HasSubstr("is missing"));
}

}  // namespace
}  // namespace pothole
