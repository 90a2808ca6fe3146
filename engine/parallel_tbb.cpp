#include "engine/parallel_tbb.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace pothole::tbb_calls {

void in_arena(unsigned threads, Call call, void* shared) {
  if (threads == 0) threads = static_cast<unsigned>(tbb::this_task_arena::max_concurrency());
  // The arena alone would be capped at the cores there are.
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([=] { call(shared, 0); });
}

void for_each_index(std::size_t count, Call call, void* shared) {
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, 1),
      [=](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) call(shared, i);
      },
      tbb::simple_partitioner());
}

void for_each_index_alone(std::size_t count, Call call, void* shared) {
  tbb::this_task_arena::isolate([=] { for_each_index(count, call, shared); });
}

void alone(Call call, void* shared) {
  tbb::this_task_arena::isolate([=] { call(shared, 0); });
}

void in_order(std::size_t in_flight, Ask more, Call work, Call fold, void* shared) {
  std::size_t next = 0;
  const auto feed = [&](tbb::flow_control& control) {
    if (more(shared, next)) return next++;
    control.stop();
    return next;
  };
  const auto carry_out = [=](std::size_t index) {
    work(shared, index);
    return index;
  };
  tbb::parallel_pipeline(in_flight,
                         tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, feed) &
                             tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel, carry_out) &
                             tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order,
                                                                 [=](std::size_t index) { fold(shared, index); }));
}

void both(Call call, void* shared) {
  tbb::parallel_invoke([=] { call(shared, 0); }, [=] { call(shared, 1); });
}

struct Group::Tasks {
  tbb::task_group group;
};

Group::Group() : tasks_(new Tasks) {}
Group::~Group() { delete tasks_; }
void Group::run(Call call, void* shared, std::size_t index) {
  tasks_->group.run([=] { call(shared, index); });
}
void Group::wait() { tasks_->group.wait(); }

}  // namespace pothole::tbb_calls
