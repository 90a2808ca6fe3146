// The one door to TBB. Results never depend on the number of threads: work is indexed, and whoever
// folds it does so by index.
#pragma once

#include <cstddef>
#include <functional>

namespace pothole {

// Runs `work` with at most `threads` threads (0: one per core) for everything below it.
void with_threads(unsigned threads, const std::function<void()>& work);

// body(i) for every i in [0, count), in parallel. An exception of the lowest failing index that ran
// is rethrown.
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body);

// The same, but this thread takes up no other work while it waits: for work that is done under a lock.
void parallel_for_alone(std::size_t count, const std::function<void(std::size_t)>& body);

// Work on this thread, which takes up no other work while it waits for what it calls in parallel.
void alone(const std::function<void()>& work);

// A stream of items, worked on in parallel and folded in their order, of which at most `slots` are under way:
// `more(i)` says in order whether there is an item i, `work(i, slot)` may run beside others, and `fold(i, slot)` comes
// in order again. A slot is one item's alone from its work to its fold. An exception ends the stream and is rethrown.
struct OrderedStream {
  std::function<bool(std::size_t index)> more;
  std::function<void(std::size_t index, std::size_t slot)> work, fold;
};
void parallel_in_order(std::size_t slots, const OrderedStream& stream);

// Both, in parallel.
void parallel_both(const std::function<void()>& first, const std::function<void()>& second);

// body(i, add) for every i in [0, count), and for every index that a body passes to `add` meanwhile.
using AddIndex = std::function<void(std::size_t)>;
void parallel_growing(std::size_t count, const std::function<void(std::size_t, const AddIndex& add)>& body);

}  // namespace pothole
