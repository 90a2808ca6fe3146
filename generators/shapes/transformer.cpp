// Layers of attention and a feed-forward network, each around a residual connection.
#include "generators/network.h"
#include "generators/network_parameters.h"
#include "generators/registry.h"

namespace pothole {
namespace {

class Transformer {
 public:
  using Value = Network::Value;

  Transformer(const GeneratorValues& values, SplitMix& random)
      : network_(values, random),
        values_(values),
        width_(values["channels"]),
        tokens_(values["tokens"]),
        rows_(values["batch"] * tokens_) {}

  Program make() {
    Value x = network_.input(rows_ * width_);
    for (std::int64_t i = 0; i < values_["layers"]; ++i) {
      x = network_.sum(attention(normed(x)), x);
      x = network_.sum(feed_forward(normed(x)), x);
    }
    return training_step(network_, {x}, values_);
  }

 private:
  Value normed(Value x) { return values_.on("norm") ? network_.normalized(x, width_) : x; }

  Value linear(const char* name, Value x, std::int64_t from, std::int64_t to) {
    const Value weights = network_.parameter(from * to);
    return network_.product(name, x, weights, rows_ * to, rows_ * from * to);
  }

  std::vector<Value> heads_of(Value x) {
    return values_["heads"] == 1 ? std::vector<Value>{x} : network_.split(x, values_["heads"]);
  }

  Value attention(Value x) {
    const std::vector<Value> q = heads_of(linear("query", x, width_, width_));
    const std::vector<Value> k = heads_of(linear("key", x, width_, width_));
    const std::vector<Value> v = heads_of(linear("value", x, width_, width_));
    std::vector<Value> heads;
    for (std::size_t i = 0; i < q.size(); ++i) {
      const std::int64_t work = network_.elements(q[i]) * tokens_;
      const Value turned = network_.view("transpose", k[i]);
      const Value scores = network_.softmax(network_.product("scores", q[i], turned, rows_ * tokens_, work));
      heads.push_back(network_.product("context", scores, v[i], network_.elements(v[i]), work));
    }
    const Value context = heads.size() == 1 ? heads[0] : network_.concat(heads);
    return linear("project", context, width_, width_);
  }

  Value feed_forward(Value x) {
    constexpr std::int64_t kWider = 4;
    const Value inner = network_.pointwise("gelu", linear("widen", x, width_, kWider * width_));
    return linear("narrow", inner, kWider * width_, width_);
  }

  Network network_;
  const GeneratorValues& values_;
  std::int64_t width_, tokens_, rows_;
};

Program make(const GeneratorValues& values, SplitMix& random) { return Transformer(values, random).make(); }

}  // namespace

Generator transformer_generator() {
  return {"transformer",
          "transformer layers: queries, keys and values, attention by heads that are views, a feed-forward network",
          "Vaswani et al., Attention is all you need, NeurIPS 2017",
          {{"layers", 2, 1, 1000, 1, 1, "of attention and feed-forward"},
           {"heads", 2, 1, 64, 1, 2, "that the attention of a layer is split into"},
           {"tokens", 32, 1, 4096, 1, 64, "of each sample"},
           {"norm", 1, 0, 1, 0, 1, "1: with normalizations"},
           kBatch,
           kChannels,
           kUnits,
           kBackward,
           kUpdate},
          make};
}

}  // namespace pothole
