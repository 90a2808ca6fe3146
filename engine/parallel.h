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

// Both, in parallel.
void parallel_both(const std::function<void()>& first, const std::function<void()>& second);

// body(i, add) for every i in [0, count), and for every index that a body passes to `add` meanwhile.
using AddIndex = std::function<void(std::size_t)>;
void parallel_growing(std::size_t count, const std::function<void(std::size_t, const AddIndex& add)>& body);

}  // namespace pothole
