#include "engine/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <exception>
#include <mutex>

namespace pothole {
namespace {

// What was written before the work is handed out is seen by it, and what the work wrote is seen
// afterwards. TBB sees to that, but a thread sanitizer cannot know where TBB was not built for it;
// here it is said in terms that it does see.
class HandOver {
 public:
  HandOver() { begun_.store(true, std::memory_order_release); }
  void run(const std::function<void()>& work) {
    begun_.load(std::memory_order_acquire);
    work();
    done_.fetch_add(1, std::memory_order_acq_rel);
  }
  void finish() { done_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> begun_{false};
  std::atomic<std::size_t> done_{0};
};

}  // namespace

void with_threads(unsigned threads, const std::function<void()>& work) {
  if (threads == 0) threads = static_cast<unsigned>(tbb::this_task_arena::max_concurrency());
  // The arena alone would be capped at the cores there are.
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  HandOver hand_over;
  arena.execute([&] { hand_over.run(work); });
  hand_over.finish();
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  // TBB rethrows whichever exception came first in time; the lowest index is the same every time as
  // long as nothing is cancelled.
  std::mutex mutex;
  std::size_t failed_index = count;
  std::exception_ptr failure;
  HandOver hand_over;
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          try {
            hand_over.run([&] { body(i); });
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
  hand_over.finish();
  if (failure) std::rethrow_exception(failure);
}

void parallel_both(const std::function<void()>& first, const std::function<void()>& second) {
  HandOver hand_over;
  tbb::parallel_invoke([&] { hand_over.run(first); }, [&] { hand_over.run(second); });
  hand_over.finish();
}

}  // namespace pothole
