// Calls of code that may not return or may crash.
//
// A thread that runs foreign code cannot be stopped: it may hold a lock that everybody needs. But it can be left
// behind. So each calling thread has a companion that makes its calls, and waits for it no longer than a limit;
// then it goes on with a new companion, and the old one may never touch anything of ours again. A worker process
// would be safer still, but each of the millions of choices of a sweep needs the sweep's state.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>

#include "engine/units.h"

namespace pothole {

// What is being called, for the message about a crash.
struct CallPlace {
  std::string_view plugin;  // its file; lives as long as the process
  std::string_view trace;   // empty while the plugin is loaded
  OperatorId op = kNone;
  Bytes budget = 0;
};

// Runs `body` on the companion of this thread. False if foreign code in it did not return in time: the companion then
// never leaves it, so that the body's frames stay, but what it refers to may go. Throws what the body throws.
[[nodiscard]] bool call_guarded(const CallPlace& place, std::chrono::nanoseconds limit,
                                const std::function<void()>& body);

// Within a body: the code between is foreign, and may only touch what is on the body's own stack or lives for ever.
// Foreign code that calls us back is ours again in between.
class Foreign {
 public:
  Foreign() { enter(); }
  ~Foreign() { leave(); }
  Foreign(const Foreign&) = delete;
  Foreign& operator=(const Foreign&) = delete;

  static void enter();
  static void leave();  // does not return if the thread was left behind
};

// The other way round, for a callback.
class Ours {
 public:
  Ours() { Foreign::leave(); }
  ~Ours() { Foreign::enter(); }
  Ours(const Ours&) = delete;
  Ours& operator=(const Ours&) = delete;
};

// Companions left behind so far. With any, a process must end by _exit: they run on while it is taken apart.
int companions_left_behind();

// From now on `on_crash` is called when foreign code crashes, aborts or calls exit(), with what it did; inside the
// signal handler, and it must not return. Once per process.
using OnCrash = void (*)(const CallPlace& place, std::string_view how);
void catch_crashes(OnCrash on_crash);

}  // namespace pothole
