#include "engine/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include <exception>
#include <mutex>

namespace pothole {

void with_threads(unsigned threads, const std::function<void()>& work) {
  if (threads == 0) threads = static_cast<unsigned>(tbb::this_task_arena::max_concurrency());
  // The arena alone would be capped at the cores there are.
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute(work);
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  // TBB rethrows whichever exception came first in time; the lowest index is the same every time as
  // long as nothing is cancelled.
  std::mutex mutex;
  std::size_t failed_index = count;
  std::exception_ptr failure;
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          try {
            body(i);
          } catch (...) {
            const std::lock_guard lock(mutex);
            if (i < failed_index) {
              failed_index = i;
              failure = std::current_exception();
            }
          }
        }
      },
      tbb::simple_partitioner());
  if (failure) std::rethrow_exception(failure);
}

void parallel_both(const std::function<void()>& first, const std::function<void()>& second) {
  tbb::parallel_invoke(first, second);
}

}  // namespace pothole
