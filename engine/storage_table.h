// What a run knows about each storage, in chunks that forked states share until one of them writes: a
// fork costs a pointer per chunk, and two states that forked a few steps ago are compared by looking
// at the few chunks in which they differ.
//
// States that share chunks may be on different threads.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "engine/hash.h"
#include "engine/units.h"

namespace pothole {

// What a storage's stored regions have seen of the pending operator (semantics section 8, case a).
enum class Seen : std::uint8_t {
  outputs_forward = 1,  // the forward region includes its fresh outputs
  raise_forward = 2,    // the forward region holds the storage that its aliases join at the raised compute
  raise_reverse = 4,    // the reverse region likewise
};

struct StorageState {
  Tick last_access = 0;     // 0: never, before every clock
  std::uint64_t stamp = 0;  // of its last place in the pool; of no meaning beyond
  std::uint32_t locks = 0;
  std::uint32_t awaited = 0;    // how often frames have it among arguments still to be brought back
  std::uint32_t evictions = 0;  // so far; 0 unless the policy reads it
  std::uint8_t seen = 0;        // bits of Seen; 0 unless an operator is pending
  friend bool operator==(const StorageState& a, const StorageState& b) {
    return a.last_access == b.last_access && a.locks == b.locks && a.awaited == b.awaited &&
           a.evictions == b.evictions && a.seen == b.seen;
  }
};

// Cached sums over one storage's regions (engine/regions.h). Where they are not known to be exact they are
// lower bounds.
struct RegionCache {
  Cost forward = 0;
  Cost reverse_plus_returned = 0;  // the reverse sum, plus State::returned_compute when it was taken
  std::int64_t returns = 0;        // State::returns when it was taken
  std::uint32_t forward_count : 31 = 0;
  std::uint32_t forward_exact : 1 = false;
  std::uint32_t reverse_count : 31 = 0;
  std::uint32_t reverse_exact : 1 = false;  // but for returns since
};

class StorageTable {
 public:
  StorageTable() = default;
  // `memory`, if given, counts the bytes of all chunks that come of this table and its copies.
  explicit StorageTable(std::size_t storage_count, std::atomic<std::int64_t>* memory = nullptr)
      : count_(static_cast<std::uint32_t>(storage_count)), chunks_((storage_count + kChunkSize - 1) / kChunkSize) {
    for (Entry& entry : chunks_) entry.chunk = new Chunk(memory);
  }
  StorageTable(const StorageTable& other)
      : count_(other.count_), digest_(other.digest_), chunks_(other.chunks_), changed_(other.changed_) {
    for (const Entry& entry : chunks_) entry.chunk->references.fetch_add(1, std::memory_order_relaxed);
  }
  StorageTable(StorageTable&& other) noexcept
      : count_(other.count_),
        digest_(other.digest_),
        chunks_(std::move(other.chunks_)),
        changed_(std::move(other.changed_)) {
    other.chunks_.clear();
  }
  // Keeps the room that it has: states are made into copies of others all the time.
  StorageTable& operator=(const StorageTable& other) {
    for (const Entry& entry : other.chunks_) entry.chunk->references.fetch_add(1, std::memory_order_relaxed);
    drop_all();
    count_ = other.count_;
    digest_ = other.digest_;
    chunks_ = other.chunks_;
    changed_ = other.changed_;
    return *this;
  }
  StorageTable& operator=(StorageTable&& other) noexcept {
    std::swap(count_, other.count_);
    std::swap(digest_, other.digest_);
    chunks_.swap(other.chunks_);
    changed_.swap(other.changed_);
    return *this;
  }
  ~StorageTable() { drop_all(); }

  // Empty, with the room that it has, and without a share in any chunk.
  void forget() {
    drop_all();
    chunks_.clear();
    changed_.clear();
  }

  const StorageState& operator[](StorageId s) const {
    return chunks_[s / kChunkSize].chunk->items[s % kChunkSize].state;
  }
  const RegionCache& regions(StorageId s) const { return chunks_[s / kChunkSize].chunk->items[s % kChunkSize].regions; }

  // For writing. The reference holds until the table is copied or asked for its digest.
  StorageState& change(StorageId s) {
    Entry& entry = chunks_[s / kChunkSize];
    if (!entry.changed) {
      entry.changed = true;
      changed_.push_back(s / kChunkSize);
    }
    return own(entry).items[s % kChunkSize].state;
  }
  RegionCache& change_regions(StorageId s) { return own(chunks_[s / kChunkSize]).items[s % kChunkSize].regions; }

  // Of the states; region values are a cache. Costs as much as has changed since the last call.
  std::uint64_t digest() const;
  friend bool operator==(const StorageTable& a, const StorageTable& b);

 private:
  static constexpr std::uint32_t kChunkSize = 32;

  // A cache line, as the scan of a pool reads both parts of many.
  struct alignas(64) Item {
    StorageState state;
    RegionCache regions;
  };
  static_assert(sizeof(Item) == 64);

  struct Chunk {
    explicit Chunk(std::atomic<std::int64_t>* count) : memory(count) { add_memory(sizeof(Chunk)); }
    Chunk(const Chunk& other) : memory(other.memory), items(other.items) { add_memory(sizeof(Chunk)); }
    Chunk& operator=(const Chunk&) = delete;
    ~Chunk() { add_memory(-static_cast<std::int64_t>(sizeof(Chunk))); }
    // Chunks come and go with every fork: each thread keeps some for the next.
    static void* operator new(std::size_t size, std::align_val_t alignment);
    static void operator delete(void* chunk, std::align_val_t alignment);
    void add_memory(std::int64_t bytes) {
      if (memory) memory->fetch_add(bytes, std::memory_order_relaxed);
    }
    std::atomic<std::uint32_t> references{1};
    std::atomic<std::int64_t>* memory;
    std::array<Item, kChunkSize> items;
  };
  struct Entry {
    Chunk* chunk = nullptr;
    std::uint64_t hash = 0;  // as it enters digest_; out of date while `changed`
    bool changed = false;
  };

  static Chunk& own(Entry& entry) {
    if (entry.chunk->references.load(std::memory_order_acquire) > 1) [[unlikely]] {
      Chunk* shared = entry.chunk;
      entry.chunk = new Chunk(*shared);
      drop(shared);
    }
    return *entry.chunk;
  }
  static void drop(Chunk* chunk) {
    // The last reference, if this is it, cannot be copied by anyone else meanwhile.
    if (chunk->references.load(std::memory_order_acquire) == 1 ||
        chunk->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete chunk;
  }
  void drop_all() {
    for (const Entry& entry : chunks_) drop(entry.chunk);
  }
  static std::uint64_t hash_of(std::span<const Item> items, std::uint32_t index);
  std::span<const Item> items_of(const Entry& entry, std::uint32_t index) const {
    return std::span(entry.chunk->items).first(std::min(kChunkSize, count_ - index * kChunkSize));
  }

  std::uint32_t count_ = 0;           // of storages
  mutable std::uint64_t digest_ = 0;  // the sum of the chunks' hashes
  mutable std::vector<Entry> chunks_;
  mutable std::vector<std::uint32_t> changed_;  // the entries marked so
};

}  // namespace pothole
