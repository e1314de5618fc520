//===- Reductions.cpp - Making pipelines small ----------------------------===//
#include "tsc/Transforms/Reductions.h"
#include "tsc/Transforms/CrashReproducer.h"
#include "tsc/Transforms/PassManager.h"
#include "llvm/ADT/StringExtras.h"
using namespace tsc;

namespace {
class PipelineSteps final : public Reduction {
public:
  explicit PipelineSteps(const PassRegistry &registry) : registry(registry) {}

  llvm::StringRef name() const override { return "steps of the pipeline"; }

  size_t takeApart(llvm::StringRef input) override {
    steps.clear();
    auto read = ReproducerOptions::read(input);
    if (!read)
      return 0;
    options = *read;
    rest = input.drop_until([](char c) { return c == '\n'; }).str();
    split(options.passes, 0);
    return steps.size();
  }

  std::optional<std::string> without(const llvm::BitVector &removed) override {
    ReproducerOptions smaller = options;
    smaller.passes.clear();
    for (size_t i = 0; i != steps.size(); ++i)
      if (!removed.test(i))
        smaller.passes += (smaller.passes.empty() ? "" : ",") + steps[i];
    return smaller.firstLine() + rest;
  }

private:
  /// At the commas that are not between the brackets of options; parentheses only group.
  void split(llvm::StringRef pipeline, unsigned depth) {
    unsigned brackets = 0;
    std::string step;
    auto finish = [&] {
      llvm::StringRef text = llvm::StringRef(step).trim();
      const PipelineInfo *named = depth < 10 ? registry.findPipeline(text) : nullptr;
      if (named && !registry.find(text))
        split(named->steps, depth + 1);
      else if (!text.empty())
        steps.push_back(text.str());
      step.clear();
    };
    for (char c : pipeline) {
      brackets += c == '<';
      brackets -= c == '>' && brackets;
      if (!brackets && c == ',')
        finish();
      else if (brackets || (c != '(' && c != ')'))
        step += c;
    }
    finish();
  }

  const PassRegistry &registry;
  ReproducerOptions options;
  std::string rest;
  std::vector<std::string> steps;
};
} // namespace

void tsc::addPipelineReductions(Reductions &reductions, const PassRegistry &registry) {
  reductions.push_back(std::make_unique<PipelineSteps>(registry));
}
