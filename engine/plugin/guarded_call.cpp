// The companion's state says whose turn it is. Who gives up on it and who returns race for that one word.
#include "engine/plugin/guarded_call.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace pothole {
namespace {

enum class Turn { ours, foreign, left_behind };

std::atomic<int> left_behind_count{0};
thread_local const CallPlace* foreign_place = nullptr;  // of the foreign code that this thread is in

// A stack of its own lets the handler say so when the thread's other one has overflown. What was there before is put
// back: a sanitizer takes down its own at the end of the thread.
class HandlerStack {
 public:
  HandlerStack() {
    alignas(16) static thread_local std::array<char, 65536> bytes;
    const stack_t stack{bytes.data(), 0, bytes.size()};
    sigaltstack(&stack, &before_);
  }
  ~HandlerStack() { sigaltstack(&before_, nullptr); }
  HandlerStack(const HandlerStack&) = delete;
  HandlerStack& operator=(const HandlerStack&) = delete;

 private:
  stack_t before_ = {};
};

class Companion {
 public:
  Companion() : thread_([this] { serve(); }) {}
  ~Companion() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  // False: it is left behind, and must live for ever.
  bool call(const CallPlace& place, std::chrono::nanoseconds limit, const std::function<void()>& body) {
    std::unique_lock lock(mutex_);
    place_ = place;
    thrown_ = nullptr;
    body_ = &body;
    changed_.notify_all();
    const auto settled = [this] { return !body_ || turn_ == Turn::left_behind; };
    if (!changed_.wait_for(lock, limit, settled)) {
      late_ = true;
      Turn expected = Turn::foreign;
      // If it is in code of ours it leaves itself behind when it next goes back.
      if (!turn_.compare_exchange_strong(expected, Turn::left_behind)) changed_.wait(lock, settled);
      late_ = false;
    }
    if (turn_ == Turn::left_behind) {
      // An endless loop gets what time nobody else wants.
      const sched_param none{};
      pthread_setschedparam(thread_.native_handle(), SCHED_IDLE, &none);
      thread_.detach();
      place_.trace = {};  // may go, and the lost code may still crash
      ++left_behind_count;
      return false;
    }
    if (thrown_) std::rethrow_exception(thrown_);
    return true;
  }

  void enter_foreign() {
    turn_ = Turn::foreign;
    if (late_) {
      {
        const std::lock_guard lock(mutex_);
        Turn expected = Turn::foreign;
        if (late_) turn_.compare_exchange_strong(expected, Turn::left_behind);
      }
      changed_.notify_all();
      stay_if_left_behind();
    }
    foreign_place = &place_;
  }

  void leave_foreign() {
    foreign_place = nullptr;
    Turn expected = Turn::foreign;
    if (!turn_.compare_exchange_strong(expected, Turn::ours)) stay_if_left_behind();
  }

  static thread_local Companion* current;

 private:
  void serve() {
    current = this;
    const HandlerStack handler_stack;
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return body_ || over_; });
      if (over_) return;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        (*body_)();
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      thrown_ = thrown;
      body_ = nullptr;
      changed_.notify_all();
    }
  }

  void stay_if_left_behind() const {
    while (turn_ == Turn::left_behind) pause();
  }

  std::mutex mutex_;  // guards body_, thrown_, over_; place_ is read by whoever has the turn
  std::condition_variable changed_;
  const std::function<void()>* body_ = nullptr;
  std::exception_ptr thrown_;
  bool over_ = false;
  CallPlace place_;
  std::atomic<Turn> turn_ = Turn::ours;
  std::atomic<bool> late_ = false;
  std::thread thread_;  // last: it uses the others
};

thread_local Companion* Companion::current = nullptr;

OnCrash crash_handler = nullptr;
std::atomic_flag ending;  // somebody is in the crash handler, which does not return
thread_local bool ends_here = false;

// The first of several that crash or call exit() at once tells; the others wait for it to end the process.
void end_after(std::string_view how) {
  if (ending.test_and_set(std::memory_order_acq_rel))
    while (true) pause();
  ends_here = true;
  crash_handler(*foreign_place, how);
}

struct CaughtSignal {
  int number;
  std::string_view how;
  struct sigaction previous;
};
CaughtSignal caught_signals[] = {{SIGSEGV, "crashed (segmentation fault)", {}},
                                 {SIGBUS, "crashed (bus error)", {}},
                                 {SIGFPE, "crashed (arithmetic error, such as a division by zero)", {}},
                                 {SIGILL, "crashed (illegal instruction)", {}},
                                 {SIGABRT, "aborted", {}}};

void on_signal(int number) {
  for (const CaughtSignal& caught : caught_signals) {
    if (caught.number != number) continue;
    if (foreign_place && !ends_here) end_after(caught.how);
    // The tables of this process may be taken apart by a plugin's exit() while it goes on here.
    if (ending.test(std::memory_order_acquire) && !ends_here)
      while (true) pause();
    // Not theirs: what was there before is asked when the instruction runs again.
    sigaction(number, &caught.previous, nullptr);
  }
}

void on_exit_called() {
  if (foreign_place && !ends_here) end_after("ended the process");
}

}  // namespace

void Foreign::enter() { Companion::current->enter_foreign(); }
void Foreign::leave() { Companion::current->leave_foreign(); }

bool call_guarded(const CallPlace& place, std::chrono::nanoseconds limit, const std::function<void()>& body) {
  thread_local std::unique_ptr<Companion> companion;
  if (!companion) {
    companion = std::make_unique<Companion>();
    // For each thread that may call exit(): a second exit() goes on with the handlers that the first has left over, and
    // those registered last are called first, before what they protect is taken apart.
    if (crash_handler != nullptr) std::atexit(on_exit_called);
  }
  if (companion->call(place, limit, body)) return true;
  static_cast<void>(companion.release());  // the one left behind still uses it
  return false;
}

int companions_left_behind() { return left_behind_count; }

void catch_crashes(OnCrash on_crash) {
  crash_handler = on_crash;
  for (CaughtSignal& caught : caught_signals) {
    struct sigaction action = {};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_ONSTACK;
    sigaction(caught.number, &action, &caught.previous);
  }
  std::atexit(on_exit_called);
}

}  // namespace pothole
