// pothole_policy.h: an eviction policy as a shared library, for `pothole ... --plugin libmine.so`.
//
// A library defines one object, `pothole_policy_plugin`, which declares the policy and gives one callback: either
// `score`, called for each member of the pool, or `choose`, called with the whole pool. Plain C; C++ may include it
// too. No code of pothole is linked.
//
// What a policy must keep to:
// - It is a function of what it is given: no memory between calls, no clock, no random numbers of its own. Callbacks
//   come from several threads at once, in no order, and again for the same state. Loading cannot see whether this
//   holds; runs repeated, reordered and in parallel can, and a certificate is as good as the promise.
// - The budget cannot be read. A policy that needs it asks `fits_after`; each answer narrows the budgets that the
//   run certifies, so that a policy that asks is certified as exactly as one that does not.
//
// What happens to one that does not: a score that is NaN, a C++ exception, no victim or one outside the pool, a
// question that was not declared or has no answer, and a choice that is not made in time (--plugin-limit) are the
// outcome `policy error`; the search goes on with other budgets, and the exit code is 5. A call that does not return
// cannot be stopped: it may hold a lock that the whole process needs. So plugins are called on threads of their own,
// and such a thread is left behind, to run on at the lowest priority until the process ends. After a crash nothing in
// memory can be trusted: it ends the process with a message that says where; a checkpoint keeps what was found until
// shortly before.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of this header. A plugin is loaded by the pothole that has the same one only.
#define POTHOLE_POLICY_ABI 1u

// Sums over many storages can pass 64 bits.
__extension__ typedef __int128 pothole_wide;

// What a policy reads beyond a storage's own numbers; pothole keeps only what is declared. Fields of what is not
// declared are 0 and stay 0: a struct cannot tell that they are read, so that a policy that forgets to declare what it
// reads is not reported, but decides by zeros. Each such field names its feature below.
enum pothole_feature {
  POTHOLE_FORWARD = 1,     // evicted storages reachable along children
  POTHOLE_REVERSE = 2,     // and along parents
  POTHOLE_UNION = 4,       // both, united
  POTHOLE_CLASSES = 8,     // equivalence classes of evicted storages
  POTHOLE_RANDOM = 16,     // may call `draw`
  POTHOLE_BUDGET = 32,     // may call `fits_after`
  POTHOLE_EVICTIONS = 128  // how often a storage was evicted
};

// A member of the pool. Bytes and clock ticks; the clock starts at 1 and advances by the costs of operators.
typedef struct pothole_candidate {
  uint32_t storage;          // its root tensor: 0, 1, 2, ... in the order of the trace
  int64_t compute;           // c: the cost of its operators
  int64_t size;              // m, may be 0
  int64_t staleness;         // s: clock - last_access, may be 0
  int64_t last_access;       // when it was last an argument or made
  int64_t tensors;           // in it so far, at least 1
  int64_t children;          // storages made from it so far
  pothole_wide forward;      // C(F): compute of the forward neighbourhood (POTHOLE_FORWARD)
  pothole_wide reverse;      // C(R): of the reverse one (POTHOLE_REVERSE)
  int64_t neighbours;        // |F| + |R|: storages in both (POTHOLE_FORWARD and POTHOLE_REVERSE)
  pothole_wide united;       // C(F union R), walked afresh (POTHOLE_UNION)
  int64_t united_staleness;  // s': by the latest access to it and F union R (POTHOLE_UNION)
  pothole_wide classes;      // Q: of the distinct classes next to it; may be negative (POTHOLE_CLASSES)
  int64_t evictions;         // so far, by the policy or on release (POTHOLE_EVICTIONS)
} pothole_candidate;

// The pool when room is asked for, valid during the call. Read-only.
typedef struct pothole_view {
  uint32_t count;  // members, at least 1, in the order in which they became evictable
  int64_t clock;
  int64_t resident;  // bytes
  int64_t request;   // bytes wanted

  // Member i, below count. Walks its neighbourhoods, where they are declared.
  pothole_candidate (*candidate)(const struct pothole_view* view, uint32_t i);
  // 1 if the request would fit once `freed` more bytes were free, from 0 to `resident`, else 0. Needs POTHOLE_BUDGET.
  int (*fits_after)(const struct pothole_view* view, int64_t freed);
  // Uniform in 0 .. bound-1, from --seed and the number of draws so far; bound is not 0. Needs POTHOLE_RANDOM.
  uint64_t (*draw)(const struct pothole_view* view, uint64_t bound);
  // numerator / (size * staleness) rounded once to a double, as the DTR simulator compares its scores; infinity where
  // size or staleness is not above 0. Pass 1 for a factor that is not wanted.
  double (*quotient)(pothole_wide numerator, int64_t size, int64_t staleness);

  void* pothole;  // not for the policy
} pothole_view;

// Set with libmine.so@key=value,...
typedef struct pothole_parameter {
  const char* key;  // a letter, then letters, digits, '_' or '-'
  const char* help;
  double standard, least, most;  // least <= standard <= most
  int32_t integer;               // 1: whole numbers only
} pothole_parameter;

#define POTHOLE_PARAMETERS_MAX 8
// No victim; what `choose` never returns.
#define POTHOLE_NONE UINT32_MAX

typedef struct pothole_policy {
  uint32_t abi;          // POTHOLE_POLICY_ABI
  uint32_t features;     // any of pothole_feature, added
  const char* name;      // of the form of a key; none that a policy of pothole has
  const char* sentence;  // what it does
  const char* formula;   // for people; may be null
  const pothole_parameter* parameters;
  uint32_t parameter_count;
  // One of the two is null. `values` are those of the parameters, in order.
  //
  // score: the member with the least one is the victim. Members are scored front to back; of equal scores the
  // last one wins, and a score of exactly 0 ends the scan even where it is not the least. May be negative or infinite.
  // choose: the victim's number, below view->count.
  double (*score)(const pothole_view* view, const pothole_candidate* candidate, const double* values);
  uint32_t (*choose)(const pothole_view* view, const double* values);
} pothole_policy;

// Defined by the plugin.
__attribute__((visibility("default"))) extern const pothole_policy pothole_policy_plugin;

#ifdef __cplusplus
}
#endif
