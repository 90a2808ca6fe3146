// The calls to TBB themselves, in a file of their own: a build for the thread sanitizer leaves it, like
// TBB, without instrumentation. Everyone else uses engine/parallel.h.
#pragma once

#include <cstddef>

namespace pothole::tbb_calls {

// Does not throw. A plain function and pointer, so that nothing is copied or destroyed in the files
// without instrumentation.
using Call = void (*)(void* shared, std::size_t index);

// call(shared, 0) in an arena of so many threads; 0: one per core.
void in_arena(unsigned threads, Call call, void* shared);

// call(shared, i) for every i in [0, count), in parallel.
void for_each_index(std::size_t count, Call call, void* shared);

// The same, with the calling thread kept from calls of others.
void for_each_index_alone(std::size_t count, Call call, void* shared);

// call(shared, 0), as for_each_index_alone.
void alone(Call call, void* shared);

// more(shared, i) for i = 0, 1, ... until it is false; work(shared, i) for each in parallel, then fold(shared, i) in
// order; at most `in_flight` between the two.
using Ask = bool (*)(void* shared, std::size_t index);
void in_order(std::size_t in_flight, Ask more, Call work, Call fold, void* shared);

// call(shared, 0) and call(shared, 1), in parallel.
void both(Call call, void* shared);

// Calls that may add further calls.
class Group {
 public:
  Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group();
  void run(Call call, void* shared, std::size_t index);
  void wait();  // for all, also those added meanwhile

 private:
  struct Tasks;
  Tasks* tasks_;
};

}  // namespace pothole::tbb_calls
