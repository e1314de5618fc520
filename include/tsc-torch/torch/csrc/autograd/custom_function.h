//===- custom_function.h - Functions with derivatives of the host's -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_AUTOGRAD_CUSTOM_FUNCTION_H
#define TSC_TORCH_CSRC_AUTOGRAD_CUSTOM_FUNCTION_H
#include <ATen/Functions.h>
#include <c10/core/GradMode.h>
#include <mutex>
#include <torch/csrc/autograd/autograd.h>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#if defined(__GNUC__)
#include <cxxabi.h>
#endif

namespace tsc_torch_detail {
struct FunctionNode;
/// Calls T::backward. It is a tsc_derivative; what it throws is thrown again by who has asked for gradients.
template <typename T> tsc_error *runBackward(void *user, const tsc_arrived *arrived) noexcept;
} // namespace tsc_torch_detail

namespace torch {
namespace autograd {
inline namespace tsc_torch {

/// A first number, and one behind the last.
using IndexRange = std::pair<size_t, size_t>;

/// What `forward` of a Function keeps for its `backward`.
struct AutogradContext {
  AutogradContext() = default;
  AutogradContext(const AutogradContext &) = delete;
  AutogradContext &operator=(const AutogradContext &) = delete;

  std::unordered_map<std::string, c10::IValue> saved_data; ///< Values of any type. Tensors go to save_for_backward().

  /// Keeps tensors, inputs and outputs among them. Writing to one before gradients have gone through is an error then.
  void save_for_backward(variable_list to_save) { saved = std::move(to_save); }
  /// Says that `forward` has written to these inputs.
  void mark_dirty(const variable_list &inputs) { insert(dirty, inputs); }
  /// Says that no gradient goes through these outputs.
  void mark_non_differentiable(const variable_list &outputs) { insert(constant, outputs); }
  /// Whether `backward` gets zeros, rather than undefined tensors, for outputs of which no gradient has arrived.
  void set_materialize_grads(bool value) { materializes = value; }
  /// Returns what save_for_backward() was given. For `backward`.
  variable_list get_saved_variables() const { return saved; }
  /// Whether somebody asks for the gradient of the tensor with this number among the tensors of `forward`. For
  /// `backward`.
  bool needs_input_grad(size_t output_edge_index) const {
    return wanted && output_edge_index < num_wanted && wanted[output_edge_index] != 0;
  }
  /// Whether somebody asks for one of these.
  bool needs_input_grad(std::initializer_list<IndexRange> idxs) const {
    for (const IndexRange &range : idxs)
      for (size_t i = range.first; i < range.second; ++i)
        if (needs_input_grad(i))
          return true;
    return false;
  }

private:
  template <typename T> friend struct Function;
  template <typename T> friend tsc_error *tsc_torch_detail::runBackward(void *, const tsc_arrived *) noexcept;
  static void insert(std::unordered_set<c10::TensorImpl *> &set, const variable_list &tensors) {
    for (const Variable &tensor : tensors)
      set.insert(tensor.unsafeGetTensorImpl());
  }

  variable_list saved;
  std::unordered_set<c10::TensorImpl *> dirty, constant;
  const uint8_t *wanted = nullptr; ///< Whether each tensor's gradient is asked for; null unless `backward` runs.
  size_t num_wanted = 0;
  bool materializes = true;
};

/// The base of a class T with static members `forward(AutogradContext *, ...)`, which returns a tensor or a
/// variable_list, and `backward(AutogradContext *, variable_list)`, which returns a gradient for each argument of
/// forward: undefined tensors for those that are no tensors. Gradients go through `backward`, and are recorded in turn
/// where they are to be differentiated themselves.
template <typename T> struct Function {
  template <typename X
  , typename... Args > using forward_t =
        decltype(X::forward(static_cast<AutogradContext *>(nullptr), std::declval<Args>()...));
  /// Calls forward. Its arguments that are tensors, optional tensors and TensorLists get gradients.
  template <typename X
  = T, typename... Args > static std::enable_if_t < std::is_same < X
  , T > ::value, forward_t < X
  , Args... >> apply(Args &&...args);

private:
  static void wrap(Variable &output, const variable_list &inputs, const AutogradContext &context, bool isRecorded,
                   std::vector<tsc_value *> &results);
};

} // namespace tsc_torch
} // namespace autograd
} // namespace torch

namespace tsc_torch_detail {

/// What the derivative of one call of a Function is called with.
struct FunctionNode {
  /// What a gradient of an output looks like that has not arrived.
  struct Output {
    std::vector<int64_t> sizes;
    c10::TensorOptions options;
  };
  torch::autograd::AutogradContext context;
  std::vector<bool> isTensor; ///< Whether each argument of forward is one, those of a list counted one by one.
  std::vector<Output> outputs;
  std::recursive_mutex mutex; ///< Held while `backward` runs: what it writes to is the host's.
};

/// Collects the tensors among arguments.
struct TensorArguments {
  /// Takes an argument down, and the tensors that it has.
  void add(const at::Tensor &tensor) {
    isTensor.push_back(true);
    tensors.push_back(tensor);
  }
  /// The same. Nothing, and an undefined tensor, have no gradient.
  void add(const c10::optional<at::Tensor> &tensor) {
    isTensor.push_back(tensor && tensor->defined());
    if (isTensor.back())
      tensors.push_back(*tensor);
  }
  void add(const at::TensorList &list) {
    for (const at::Tensor &tensor : list)
      add(tensor);
  }
  template <typename T> void add(const T &) { isTensor.push_back(false); }
  std::vector<bool> isTensor;
  std::vector<at::Tensor> tensors;
};

/// Returns the name of a class as C++ spells it.
template <typename T> std::string nameOfClass() {
#if defined(__GNUC__) && defined(__GXX_RTTI)
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> text(abi::__cxa_demangle(typeid(T).name(), nullptr, nullptr, &status),
                                                     std::free);
  return text ? text.get() : typeid(T).name();
#else
  return "Function";
#endif
}
/// Returns the name of the node of a Function, as LibTorch gives it.
template <typename T> std::string nameOfNode() { return "torch::autograd::CppNode<" + nameOfClass<T>() + ">"; }

/// Returns the tensor of a handle that is lent; an undefined one for None.
inline at::Tensor tensorOf(const tsc_value *value) {
  return tsc_value_kind(value) == TSC_KIND_TENSOR ? at::Tensor::adopt(made(tsc_value_new_reference(value)))
                                                  : at::Tensor();
}

/// Gives the gradients that `backward` returns. Where there are too many or too few, or one of an argument that is no
/// tensor, throws a std::runtime_error.
inline void giveGradients(const FunctionNode &node, const std::string &name, std::vector<at::Tensor> gradients,
                          const tsc_arrived &arrived) {
  const size_t expected = node.isTensor.size();
  while (gradients.size() > expected && !gradients.back().defined())
    gradients.pop_back();
  if (gradients.size() != expected)
    throw std::runtime_error("function " + name + " returned an incorrect number of gradients (expected " +
                             std::to_string(expected) + ", got " + std::to_string(gradients.size()) + ")");
  size_t next = 0;
  for (size_t i = 0; i != expected; ++i) {
    if (!node.isTensor[i] && gradients[i].defined())
      throw std::runtime_error("function " + name + " returned a gradient different that is defined at position " +
                               std::to_string(i + 1) + ", but the corresponding forward input was not a Variable");
    if (!node.isTensor[i])
      continue;
    if (gradients[i].defined())
      arrived.results[next] = made(tsc_value_new_reference(gradients[i].handle()));
    ++next;
  }
}

/// Calls T::backward. It is a tsc_derivative; what it throws is thrown again by who has asked for gradients.
template <typename T> tsc_error *runBackward(void *user, const tsc_arrived *arrived) noexcept {
  try {
    FunctionNode &node = **static_cast<std::shared_ptr<FunctionNode> *>(user);
    std::vector<at::Tensor> gradients;
    for (size_t i = 0; i != arrived->num_gradients; ++i) {
      at::Tensor gradient = tensorOf(arrived->gradients[i]);
      if (!gradient.defined() && node.context.materializes)
        gradient = at::zeros(node.outputs[i].sizes, node.outputs[i].options);
      gradients.push_back(std::move(gradient));
    }
    std::vector<at::Tensor> saved;
    for (size_t i = 0; i != arrived->num_saved; ++i)
      saved.push_back(tensorOf(arrived->saved[i]));
    std::lock_guard<std::recursive_mutex> lock(node.mutex);
    /// What the context has while `backward` runs. It keeps no tensor afterwards, for outputs refer to the node.
    struct Running {
      Running(torch::autograd::AutogradContext &context)
          : context(context), before(context.wanted, context.num_wanted) {}
      ~Running() {
        context.saved.clear();
        std::tie(context.wanted, context.num_wanted) = before;
      }
      torch::autograd::AutogradContext &context;
      std::pair<const uint8_t *, size_t> before;
    };
    const Running running(node.context);
    node.context.saved = std::move(saved);
    node.context.wanted = arrived->wanted;
    node.context.num_wanted = arrived->num_results;
    giveGradients(node, nameOfNode<T>(), T::backward(&node.context, std::move(gradients)), *arrived);
    return nullptr;
  } catch (const std::exception &error) {
    thrownInBackward() = std::current_exception();
    return tsc_error_new(TSC_INVALID_ARGUMENT, error.what());
  } catch (...) {
    thrownInBackward() = std::current_exception();
    return tsc_error_new(TSC_INVALID_ARGUMENT, "a function of the host's failed");
  }
}

inline void dropNode(void *user) { delete static_cast<std::shared_ptr<FunctionNode> *>(user); }

inline torch::autograd::variable_list listOf(const at::Tensor &output) { return {output}; }
inline torch::autograd::variable_list listOf(const torch::autograd::variable_list &outputs) { return outputs; }
inline void assign(at::Tensor &output, torch::autograd::variable_list outputs) { output = std::move(outputs[0]); }
inline void assign(torch::autograd::variable_list &all, torch::autograd::variable_list outputs) {
  all = std::move(outputs);
}

} // namespace tsc_torch_detail

namespace torch {
namespace autograd {
inline namespace tsc_torch {

/// Appends the handle of an output to `results`, or null where no gradient goes through it. An input that was handed on
/// as it is becomes another tensor with its elements.
template <typename T>
void Function<T>::wrap(Variable &output, const variable_list &inputs, const AutogradContext &context, bool isRecorded,
                       std::vector<tsc_value *> &results) {
  results.push_back(nullptr);
  if (!output.defined())
    return;
  c10::TensorImpl *const impl = output.unsafeGetTensorImpl();
  const bool isConstant =
      !isRecorded || context.constant.count(impl) != 0 || !(output.is_floating_point() || output.is_complex());
  bool isInput = false;
  for (const Variable &input : inputs)
    isInput |= input.defined() && input.is_same(output);
  if (isConstant ? (isInput && !context.dirty.count(impl)) || (isRecorded && output.requires_grad())
                 : isInput && !context.dirty.count(impl))
    output = output.detach();
  if (!isConstant)
    results.back() = output.handle();
}

template <typename T> template <typename X
, typename... Args > std::enable_if_t < std::is_same < X
, T > ::value, typename Function<T>::template forward_t < X
, Args... >> Function<T>::apply(Args &&...args) {
  using namespace tsc_torch_detail;
  auto node = std::make_shared<FunctionNode>();
  TensorArguments arguments;
  const int each[] = {0, (arguments.add(args), 0)...};
  (void)each;
  bool isRecorded = false;
  for (const Variable &input : arguments.tensors)
    isRecorded |= c10::GradMode::is_enabled() && input.defined() && input.requires_grad();
  AutogradContext &context = node->context;
  forward_t < X
  , Args... > outputs = [&] {
    const c10::AutoGradMode unrecorded(false);
    return T::forward(&context, std::forward<Args>(args)...);
  }();
  void *first = nullptr;
  for (const Variable &input : arguments.tensors)
    if (input.defined() && context.dirty.count(input.unsafeGetTensorImpl()))
      check(tsc_tensor_mutable_data(input.handle(), &first)); // which counts a write
  variable_list list = listOf(outputs);
  std::vector<tsc_value *> results;
  for (Variable &output : list) {
    wrap(output, arguments.tensors, context, isRecorded, results);
    node->outputs.push_back(output.defined() ? FunctionNode::Output{output.sizes().vec(), output.options()}
                                             : FunctionNode::Output());
  }
  const variable_list saved = std::move(context.saved);
  context.saved.clear();
  if (isRecorded) {
    node->isTensor = std::move(arguments.isTensor);
    const std::string name = nameOfNode<T>();
    const std::vector<tsc_value *> operands = handlesOf(arguments.tensors), kept = handlesOf(saved);
    tsc_recording recording{};
    recording.struct_size = sizeof recording;
    recording.name = name.c_str();
    recording.operands = operands.data();
    recording.num_operands = operands.size();
    recording.results = results.data();
    recording.num_results = results.size();
    recording.saved = kept.data();
    recording.num_saved = kept.size();
    recording.derivative = runBackward<T>;
    recording.release = dropNode;
    recording.user = new std::shared_ptr<FunctionNode>(node);
    check(tsc_record(&recording));
  }
  assign(outputs, std::move(list));
  return outputs;
}

} // namespace tsc_torch
} // namespace autograd
} // namespace torch

#endif
