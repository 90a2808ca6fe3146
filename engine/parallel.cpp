#include "engine/parallel.h"

#include <atomic>
#include <exception>
#include <limits>
#include <mutex>

#include "engine/parallel_tbb.h"

namespace pothole {
namespace {

// What the threads of one parallel call share. What was written before the call is seen by its work,
// and what the work wrote is seen after it. TBB sees to that, but a thread sanitizer cannot know, as
// TBB is not built for it; the two atomics say it in terms that it does see.
class Shared {
 public:
  explicit Shared(const std::function<void(std::size_t)>& body) : body_(body) { announce(); }

  // Before work is added by a thread that is itself at work.
  void announce() { begun_.store(true, std::memory_order_release); }

  static void call(void* shared, std::size_t index) { static_cast<Shared*>(shared)->work(index); }

  void finish() {
    done_.load(std::memory_order_acquire);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work(std::size_t index) {
    begun_.load(std::memory_order_acquire);
    try {
      body_(index);
    } catch (...) {
      // TBB rethrows whichever exception came first in time; the lowest index is the same every time
      // as long as nothing is cancelled.
      const std::lock_guard lock(mutex_);
      if (index < failed_index_) {
        failed_index_ = index;
        failure_ = std::current_exception();
      }
    }
    done_.fetch_add(1, std::memory_order_acq_rel);
  }

  const std::function<void(std::size_t)>& body_;
  std::atomic<bool> begun_{false};
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;  // guards the two below
  std::size_t failed_index_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
};

}  // namespace

void with_threads(unsigned threads, const std::function<void()>& work) {
  const std::function<void(std::size_t)> body = [&](std::size_t) { work(); };
  Shared shared(body);
  tbb_calls::in_arena(threads, Shared::call, &shared);
  shared.finish();
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  Shared shared(body);
  tbb_calls::for_each_index(count, Shared::call, &shared);
  shared.finish();
}

void parallel_for_alone(std::size_t count, const std::function<void(std::size_t)>& body) {
  Shared shared(body);
  tbb_calls::for_each_index_alone(count, Shared::call, &shared);
  shared.finish();
}

void parallel_both(const std::function<void()>& first, const std::function<void()>& second) {
  const std::function<void(std::size_t)> body = [&](std::size_t index) { (index == 0 ? first : second)(); };
  Shared shared(body);
  tbb_calls::both(Shared::call, &shared);
  shared.finish();
}

void parallel_growing(std::size_t count, const std::function<void(std::size_t, const AddIndex& add)>& body) {
  tbb_calls::Group group;
  Shared* everybody = nullptr;
  const AddIndex add = [&](std::size_t index) {
    everybody->announce();
    group.run(Shared::call, everybody, index);
  };
  const std::function<void(std::size_t)> one = [&](std::size_t index) { body(index, add); };
  Shared shared(one);
  everybody = &shared;
  for (std::size_t i = 0; i < count; ++i) add(i);
  group.wait();
  shared.finish();
}

}  // namespace pothole
