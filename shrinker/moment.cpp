#include "shrinker/moment.h"

#include <bit>
#include <stdexcept>

namespace pothole {

Shape::Shape(const Skeleton& skeleton, Dealloc dealloc)
    : operators(static_cast<std::uint32_t>(skeleton.steps.size())), pinned((1u << skeleton.steps.size()) - 1) {
  if (operators > kOperatorsMost || dealloc == Dealloc::banish)
    throw std::invalid_argument("a shape has at most six operators, and releases that do not banish");
  for (std::uint32_t i = 0; i < operators; ++i) {
    Step& step = steps[i];
    for (const TensorId a : skeleton.steps[i].arguments) {
      step.arguments[step.argument_count++] = static_cast<std::uint8_t>(a);
      step.argument_set |= 1u << a;
    }
    edges += step.argument_count;
    TensorSet released = 0;
    for (const TensorId t : skeleton.steps[i].released) released |= 1u << t;
    pinned &= ~released;
    if (dealloc == Dealloc::eager) step.evicted_after = released;
  }
}

unsigned Moment::depth() const {
  return (static_cast<unsigned>(std::bit_width(bits_ >> kFrames)) + kFrameBits - 1) / kFrameBits;
}

TensorSet Moment::locked(const Shape& shape) const {
  TensorSet set = place() < shape.operators ? 0 : shape.pinned & ((1u << (place() - shape.operators)) - 1);
  for (std::uint64_t frames = bits_ >> kFrames; frames != 0; frames >>= kFrameBits)
    set |= shape.steps[tensor_of(frames)].argument_set & ~missing_of(frames);
  return set;
}

void Moment::push(const Shape& shape, std::uint32_t tensor) {
  const std::uint64_t missing = shape.steps[tensor].argument_set & ~material();
  bits_ |= (missing << 3 | (tensor + 1)) << (kFrames + kFrameBits * depth());
}

// Nothing is under way: what the place begins with, or on to the next.
void Moment::begin_place(const Shape& shape) {
  const std::uint32_t pin = place() - shape.operators;
  if (place() < shape.operators)
    push(shape, place());
  else if ((shape.pinned & ~material()) >> pin & 1)
    push(shape, pin);
  else
    bits_ += std::uint64_t{1} << 6;
}

// On to where room is asked for: arguments that are there are locked, and others begun.
Moment Moment::settled(const Shape& shape) const {
  Moment m = *this;
  while (!m.ended(shape)) {
    if (m.depth() == 0) {
      m.begin_place(shape);
      continue;
    }
    const unsigned shift = m.top_shift();
    const TensorSet missing = missing_of(m.bits_ >> shift);
    if (missing == 0) break;
    const Shape::Step& step = shape.steps[m.tensor()];
    std::uint32_t next = 0;
    while ((missing >> step.arguments[next] & 1) == 0) ++next;
    const std::uint32_t argument = step.arguments[next];
    if (m.material() >> argument & 1)
      m.bits_ &= ~(std::uint64_t{1} << (shift + 3 + argument));
    else
      m.push(shape, argument);
  }
  return m;
}

Moment Moment::computed(const Shape& shape) const {
  Moment m = *this;
  const unsigned shift = top_shift();
  m.bits_ |= std::uint64_t{1} << tensor();
  m.bits_ &= (std::uint64_t{1} << shift) - 1;
  if (shift == kFrames) {
    if (place() < shape.operators) m.bits_ &= ~std::uint64_t{shape.steps[place()].evicted_after};
    m.bits_ += std::uint64_t{1} << 6;
  }
  return m.settled(shape);
}

}  // namespace pothole
