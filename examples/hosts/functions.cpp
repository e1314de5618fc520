// Functions with derivatives of the host's own, among operators and calls of an archive.
#include <iostream>
#include <torch/script.h>
#include <torch/torch.h>

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// A number and a tensor; what backward reads is saved.
struct Scale : Function<Scale> {
  static torch::Tensor forward(AutogradContext *ctx, torch::Tensor x, double by, torch::Tensor weight) {
    ctx->saved_data["by"] = by;
    ctx->save_for_backward({x, weight});
    return x * weight * by;
  }
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    const auto saved = ctx->get_saved_variables();
    const double by = ctx->saved_data["by"].toDouble();
    return {grads[0] * saved[1] * by, torch::Tensor(), (grads[0] * saved[0] * by).sum()};
  }
};

// Saves its result, and has one that no gradient goes through.
struct Exp : Function<Exp> {
  static variable_list forward(AutogradContext *ctx, const torch::Tensor &x) {
    torch::Tensor result = x.exp(), sign = x > 0, twice = 2 * x;
    ctx->save_for_backward({result});
    ctx->mark_non_differentiable({twice});
    return {result, sign, twice};
  }
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    const torch::Tensor result = ctx->get_saved_variables()[0];
    std::cout << "exp has " << grads.size() << " gradients, " << grads[1].defined() << grads[2].defined() << "\n";
    return {grads[0] * result};
  }
};

// Writes to its argument, as operators in place do.
struct Double : Function<Double> {
  static torch::Tensor forward(AutogradContext *ctx, torch::Tensor x) {
    x.mul_(2);
    ctx->mark_dirty({x});
    return x;
  }
  static variable_list backward(AutogradContext *, variable_list grads) { return {grads[0] * 2}; }
};

// Hands its argument on, and turns the gradient round.
struct Reverse : Function<Reverse> {
  static torch::Tensor forward(AutogradContext *, torch::Tensor x) { return x; }
  static variable_list backward(AutogradContext *, variable_list grads) { return {-grads[0]}; }
};

// Two results, of which one may get no gradient.
struct Split : Function<Split> {
  static variable_list forward(AutogradContext *ctx, torch::Tensor x, c10::optional<torch::Tensor> y) {
    ctx->set_materialize_grads(false);
    return {x.narrow(0, 0, 2) * 3, y.has_value() ? *y * 5 : x.narrow(0, 2, 2) * 4};
  }
  static variable_list backward(AutogradContext *, variable_list grads) {
    std::cout << "split " << grads[0].defined() << grads[1].defined() << "\n";
    torch::Tensor first = grads[0].defined() ? grads[0] * 3 : torch::zeros({2});
    torch::Tensor second = grads[1].defined() ? grads[1] * 4 : torch::zeros({2});
    return {torch::cat({first, second}), torch::Tensor()};
  }
};

struct Failing : Function<Failing> {
  static torch::Tensor forward(AutogradContext *, torch::Tensor x) { return x.clone(); }
  static variable_list backward(AutogradContext *, variable_list grads) {
    if (grads[0].sum().item<float>() > 0)
      throw std::out_of_range("the gradient is positive");
    return {grads[0], grads[0]};
  }
};

template <typename F> static void fails(F call) {
  try {
    call();
    std::cout << "no failure\n";
  } catch (const std::out_of_range &error) {
    std::cout << "out of range: " << error.what() << "\n";
  } catch (const c10::Error &error) {
    std::cout << "error: " << std::string(error.what_without_backtrace()).substr(0, 75) << "\n";
  } catch (const std::runtime_error &error) {
    std::cout << "runtime error: " << std::string(error.what()).substr(std::string(error.what()).find("returned"))
              << "\n";
  }
}

int main(int, const char *argv[]) {
  torch::Tensor x = torch::linspace(-1, 1, 4).requires_grad_(), weight = torch::tensor(1.5).requires_grad_();
  torch::Tensor y = Scale::apply(x.sin(), 2.0, weight);
  std::cout << y.requires_grad() << y.is_leaf() << " " << y.grad_fn()->name() << "\n" << y << "\n";
  (y * y).sum().backward();
  std::cout << x.grad() << "\n" << weight.grad() << "\n";

  // Gradients of gradients.
  y = Scale::apply(x, 3.0, weight);
  const torch::Tensor first =
      torch::autograd::grad({y.pow(2).sum()}, {x}, {}, /*retain_graph=*/true, /*create_graph=*/true)[0];
  const variable_list second = torch::autograd::grad({first.sum()}, {x, weight});
  std::cout << second[0] << " " << second[1] << "\n";

  const variable_list parts = Exp::apply(x);
  std::cout << parts[0].requires_grad() << parts[1].requires_grad() << parts[2].requires_grad() << "\n";
  std::cout << torch::autograd::grad({parts[0].sum()}, {x}, {}, /*retain_graph=*/true)[0] << "\n";
  std::cout << torch::autograd::grad({parts[0].sum()}, {x})[0] << "\n";
  fails([&] { torch::autograd::grad({parts[0].sum()}, {x}); }); // what was saved is gone

  torch::Tensor z = x * 1, doubled = Double::apply(z);
  std::cout << doubled.is_same(z) << " " << torch::autograd::grad({(doubled * z).sum()}, {x})[0] << "\n";
  fails([&] { Double::apply(x); });

  torch::Tensor reversed = Reverse::apply(x);
  std::cout << reversed.is_same(x) << " " << torch::autograd::grad({reversed.sum()}, {x})[0] << "\n";
  fails([&] { Reverse::apply(x).mul_(2); });

  variable_list halves = Split::apply(x, c10::nullopt);
  std::cout << torch::autograd::grad({halves[0].sum()}, {x}, {}, true)[0] << "\n";
  std::cout << torch::autograd::grad({halves[1].sum()}, {x})[0] << "\n";

  fails([&] { Failing::apply(x).sum().backward(); });
  fails([&] { (-Failing::apply(x)).sum().backward(); });
  torch::Tensor saved = x * 2, scaled = Scale::apply(saved, 1.0, weight);
  saved.add_(1);
  fails([&] { scaled.sum().backward(); });

  // Between two calls of an archive, one of them within a function.
  torch::jit::Module module = torch::jit::load(argv[1]);
  static torch::jit::Module *const inner = &module;
  struct Readout : Function<Readout> {
    static torch::Tensor forward(AutogradContext *ctx, torch::Tensor h) {
      ctx->save_for_backward({h});
      return inner->get_method("readout")({h}).toTensor();
    }
    static variable_list backward(AutogradContext *ctx, variable_list grads) {
      return {2 * grads[0] * ctx->get_saved_variables()[0]};
    }
  };
  const torch::Tensor input = torch::linspace(-1, 1, 8).reshape({2, 4}).requires_grad_();
  const torch::Tensor hidden = module.get_method("embed")({input}).toTensor();
  std::cout << torch::autograd::grad({Readout::apply(hidden)}, {input}, {}, true)[0] << "\n";
  std::cout << torch::autograd::grad({module.get_method("readout")({hidden}).toTensor()}, {input})[0] << "\n";

  torch::NoGradGuard no_grad;
  std::cout << Scale::apply(x, 2.0, weight).requires_grad() << "\n";
  return 0;
}
