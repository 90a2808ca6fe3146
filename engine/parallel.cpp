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

// The same for a stream, whose items are handed from thread to thread.
class SharedStream {
 public:
  SharedStream(std::size_t slots, const OrderedStream& stream) : slots_(slots), stream_(stream) {}

  static bool more(void* shared, std::size_t index) {
    auto& self = *static_cast<SharedStream*>(shared);
    bool is_more = false;
    self.guarded([&] { is_more = self.stream_.more(index); });
    return is_more && !self.failed_.load(std::memory_order_acquire);
  }
  static void work(void* shared, std::size_t index) {
    auto& self = *static_cast<SharedStream*>(shared);
    self.guarded([&] { self.stream_.work(index, index % self.slots_); });
  }
  static void fold(void* shared, std::size_t index) {
    auto& self = *static_cast<SharedStream*>(shared);
    self.guarded([&] { self.stream_.fold(index, index % self.slots_); });
  }

  void finish() {
    handed_on_.load(std::memory_order_acquire);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  template <class Step>
  void guarded(const Step& step) {
    handed_on_.load(std::memory_order_acquire);
    if (!failed_.load(std::memory_order_acquire)) {
      try {
        step();
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        failed_.store(true, std::memory_order_release);
      }
    }
    handed_on_.fetch_add(1, std::memory_order_acq_rel);
  }

  const std::size_t slots_;
  const OrderedStream& stream_;
  std::atomic<std::size_t> handed_on_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;  // guards the one below
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

void alone(const std::function<void()>& work) {
  const std::function<void(std::size_t)> body = [&](std::size_t) { work(); };
  Shared shared(body);
  tbb_calls::alone(Shared::call, &shared);
  shared.finish();
}

void parallel_in_order(std::size_t slots, const OrderedStream& stream) {
  SharedStream shared(slots, stream);
  tbb_calls::in_order(slots, SharedStream::more, SharedStream::work, SharedStream::fold, &shared);
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
