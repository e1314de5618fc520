//===- Random.cpp - Random numbers of a GPU -------------------------------===//
//
// Philox 4x32 with ten rounds (Salmon et al., 2011): four numbers of 32 bits from a key,
// the seed, and a counter, whose upper half is the thread and whose lower half is how
// much was drawn before. PyTorch gives each thread the elements that are all threads
// apart, four for each turn of the counter (two of 64 bits); dropout's are neighbours
// where rows allow it. How bits become reals is curand's; fused multiply-adds stand where
// its compiler makes them.
//
//===----------------------------------------------------------------------===//
#include "Random.h"
#include "tsc/KernelsCUDA/LaunchParams.h"
#include "tsc/KernelsCUDA/Prelude.h"
#include <bit>

using namespace tsc;
using namespace tsc::fuser;

static constexpr char functionsText[] = R"(
TSC_DEVICE void tsc_philox(tsc_word key, tsc_word thread, tsc_word counter, unsigned (&x)[4]) {
  unsigned low = (unsigned)key, high = (unsigned)(key >> 32);
  x[0] = (unsigned)counter, x[1] = (unsigned)(counter >> 32);
  x[2] = (unsigned)thread, x[3] = (unsigned)(thread >> 32);
#pragma unroll
  for (int round = 0; round != 10; ++round, low += 0x9E3779B9u, high += 0xBB67AE85u) {
    const tsc_word a = (tsc_word)0xD2511F53u * x[0], b = (tsc_word)0xCD9E8D57u * x[2];
    x[0] = (unsigned)(b >> 32) ^ x[1] ^ low, x[1] = (unsigned)b;
    x[2] = (unsigned)(a >> 32) ^ x[3] ^ high, x[3] = (unsigned)a;
  }
}
// In (0, 1].
TSC_DEVICE void tsc_uniform(const unsigned (&x)[4], float (&u)[4]) {
  for (int i = 0; i != 4; ++i)
    u[i] = (float)x[i] * 2.3283064e-10f + 2.3283064e-10f / 2;
}
TSC_DEVICE void tsc_uniform(const unsigned (&x)[4], double (&u)[2]) {
  for (int i = 0; i != 2; ++i)
    u[i] = (double)((tsc_word)x[2 * i] ^ (tsc_word)x[2 * i + 1] << 21) * 1.1102230246251565e-16 +
           1.1102230246251565e-16 / 2;
}
TSC_DEVICE void tsc_normal(const unsigned (&x)[4], float (&n)[4]) {
  for (int i = 0; i != 4; i += 2) {
    const float u = (float)x[i] * 2.3283064e-10f + 2.3283064e-10f / 2;
    const float v = fmaf((float)x[i + 1], 2.3283064e-10f * 6.2831855f, 2.3283064e-10f * 6.2831855f / 2);
    const float s = sqrtf(-2.0f * logf(u));
    __sincosf(v, &n[i], &n[i + 1]);
    n[i] *= s, n[i + 1] *= s;
  }
}
TSC_DEVICE void tsc_normal(const unsigned (&x)[4], double (&n)[2]) {
  double u[2];
  tsc_uniform(x, u);
  const tsc_word bits = (tsc_word)x[2] ^ (tsc_word)x[3] << 21;
  const double s = sqrt(-2.0 * log(u[0]));
  sincospi(fma((double)bits, 2 * 1.1102230246251565e-16, 1.1102230246251565e-16), &n[0], &n[1]);
  n[0] *= s, n[1] *= s;
}
TSC_DEVICE float tsc_fused(float a, float b, float c) { return fmaf(a, b, c); }
TSC_DEVICE double tsc_fused(double a, double b, double c) { return fma(a, b, c); }
)";

/// @T@: elements; @R@: what is computed with; @N@: numbers of a turn; @DRAW@ and @VALUE@ make them.
static constexpr char fillText[] = R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(const __grid_constant__ tsc_params<3, 1, 5> p) {
  typedef @R@ R;
  const R a = (R)tsc_number_double(p.number[2]), b = (R)tsc_number_double(p.number[3]);
  const long long threads = 256LL * gridDim.x, thread = 256LL * blockIdx.x + threadIdx.x;
  tsc_word counter = p.number[1] / 4;
  for (long long first = thread; first < p.count; first += threads * @N@, ++counter) {
    unsigned x[4];
    tsc_philox(p.number[0], thread, counter, x);
    @DRAW@
#pragma unroll
    for (int k = 0; k != @N@; ++k) {
      const long long i = first + threads * k;
      if (i >= p.count)
        break;
      @VALUE@
    }
  }
}
)";

/// Neighbours, @N@ for each turn; with one, all threads apart, four for each turn.
static constexpr char dropoutText[] = R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(const __grid_constant__ tsc_params<3, 1, 5> p) {
  typedef @R@ R;
  const R keep = (R)tsc_number_double(p.number[2]), scale = (R)(1 / tsc_number_double(p.number[2]));
  const long long threads = 256LL * gridDim.x, thread = 256LL * blockIdx.x + threadIdx.x;
  const int width = (int)p.number[4];
  const long long apart = width == 1 ? threads : 1;
  float u[4];
  int turn = 0;
  for (long long first = thread * width; first < p.count; first += threads * (width == 1 ? 4 : width), ++turn) {
    // Of two neighbours each turn takes half of four numbers.
    if (width != 2 || turn % 2 == 0) {
      unsigned x[4];
      tsc_philox(p.number[0], thread, p.number[1] / 4 + (width == 2 ? turn / 2 : turn), x);
      tsc_uniform(x, u);
    }
    for (int k = 0; k != (width == 1 ? 4 : width); ++k) {
      const long long i = first + apart * k;
      if (i >= p.count)
        break;
      const bool stays = (R)u[width == 2 ? k + turn % 2 * 2 : k] < keep;
      const R value = @LOAD@;
      @STORE@ (value * (R)stays * scale) @END@;
      ((unsigned char *)p.at[2])[i] = stays;
    }
  }
}
)";

namespace {
std::string replaced(llvm::StringRef text, std::initializer_list<std::pair<llvm::StringRef, std::string>> by) {
  std::string made = text.str();
  for (const auto &[mark, what] : by)
    for (size_t at = made.find(mark); at != std::string::npos; at = made.find(mark, at + what.size()))
      made.replace(at, mark.size(), what);
  return made;
}
} // namespace

uint64_t RandomPrograms::takeOffset(const DeviceSeed &seed, uint64_t more) {
  std::lock_guard<std::mutex> guard(lock);
  if (std::exchange(seedNumber, seed.number) != seed.number)
    offset = 0;
  return std::exchange(offset, offset + more);
}

/// A @R@ as a real element has it.
static std::string elementOf(DType dtype, llvm::StringRef value) {
  if (dtype == DType::Half || dtype == DType::BFloat16)
    return (llvm::Twine(dtype == DType::Half ? "tsc_to_half(" : "tsc_to_bfloat16(") + value + ")").str();
  return value.str();
}

/// A statement that stores `value`, a @R@, as an element.
static std::string storeOf(DType dtype, llvm::StringRef value) {
  return ("((" + storedType(dtype) + " *)p.at[0])[i] = " + elementOf(dtype, value) + ";").str();
}

StatusOr<bool> RandomPrograms::draw(const RandomDraw &what, const DeviceSeed &seed, const Tensor &result,
                                    const Tensor *self, const Tensor *mask) {
  const DType dtype = result.dtype();
  const bool isReal =
      dtype == DType::Float || dtype == DType::Double || dtype == DType::Half || dtype == DType::BFloat16;
  const bool isInteger = dtype == DType::Int64 || dtype == DType::Int32 || dtype == DType::Int16 ||
                         dtype == DType::Int8 || dtype == DType::UInt8;
  if (what.kind == Distribution::Integers ? !isInteger : !isReal)
    return false;
  const int64_t count = result.numel();
  if (count == 0)
    return true; // nothing is drawn
  const bool isWide = what.kind == Distribution::Integers ? what.range > UINT32_MAX : dtype == DType::Double;
  const bool drops = what.kind == Distribution::Dropout;
  const int64_t atOnce = isWide && !drops ? 2 : 4;

  // As many threads as PyTorch has, and as much of the sequence as it takes.
  constexpr int64_t threads = 256;
  const int64_t most = int64_t{context.multiprocessors()} * (context.threadsOfMultiprocessor() / threads);
  const int64_t blocks = std::min((count + threads - 1) / threads, most);
  const uint64_t offset = takeOffset(seed, static_cast<uint64_t>((count - 1) / (threads * blocks * atOnce) + 1) * 4);

  static constexpr const char *kinds[] = {"uniform", "normal", "bernoulli", "integers",
                                          "dropout"}; // as Distribution has them
  const std::string name = std::string("tsc_") + kinds[static_cast<size_t>(what.kind)] + (isWide ? "_wide" : "") + "_" +
                           llvm::StringRef(irName(dtype)).lower();
  const std::string real = dtype == DType::Double ? "double" : "float";
  auto source = [&]() -> std::string {
    const std::string stored = storedType(dtype).str();
    if (drops) {
      const std::string element = "((" + stored + " *)p.at[1])[i]";
      const bool isShort = dtype == DType::Half || dtype == DType::BFloat16;
      const std::string half = dtype == DType::Half ? "half(" : "bfloat16(";
      return replaced(dropoutText,
                      {{"@NAME@", name},
                       {"@R@", real},
                       {"@LOAD@", isShort ? "tsc_from_" + half + element + ")" : element},
                       {"@STORE@", "((" + stored + " *)p.at[0])[i] = " + (isShort ? "tsc_to_" + half : "")},
                       {"@END@", isShort ? ")" : ""}});
    }
    std::string draws, value;
    if (what.kind == Distribution::Integers) {
      draws = isWide ? "const tsc_word u[2] = {(tsc_word)x[0] << 32 | x[1], (tsc_word)x[2] << 32 | x[3]};"
                     : "const unsigned (&u)[4] = x;";
      value = "((" + stored + " *)p.at[0])[i] = (" + stored + ")(u[k] % (" + (isWide ? "tsc_word" : "unsigned") +
              ")p.number[4] + p.number[3]);";
    } else {
      draws = "R u[" + std::to_string(atOnce) + "];\n    " +
              (what.kind == Distribution::Normal ? "tsc_normal(x, u);" : "tsc_uniform(x, u);");
      if (what.kind == Distribution::Bernoulli)
        value = "const R v = (R)(u[k] < a);\n      " + storeOf(dtype, "v");
      else if (what.kind == Distribution::Normal)
        value = "const R v = tsc_fused(u[k], b, a);\n      " + storeOf(dtype, "v");
      else // the end, which rounding comes to, is the beginning's
        value = "const R v = tsc_fused(u[k], b - a, a);\n      " + storeOf(dtype, "v") + "\n      if (((" + stored +
                " *)p.at[0])[i] == tsc_end)\n        " + storeOf(dtype, "a");
    }
    if (what.kind == Distribution::Uniform) // as an element is
      draws += "\n    const " + stored + " tsc_end = " + elementOf(dtype, "b") + ";";
    return replaced(
        fillText,
        {{"@NAME@", name}, {"@R@", real}, {"@N@", std::to_string(atOnce)}, {"@DRAW@", draws}, {"@VALUE@", value}});
  };
  TSC_ASSIGN_OR_RETURN(CuFunction function, programs.find(name, [&] { return functionsText + source(); }));

  ParamsLayout layout(3, 1, 5);
  std::vector<uint64_t> params(layout.words(), 0);
  auto addressOf = [](const Tensor &tensor) { return reinterpret_cast<uintptr_t>(tensor.data()); };
  params[layout.at(0)] = addressOf(result);
  params[layout.at(1)] = addressOf(self ? *self : result);
  params[layout.at(2)] = addressOf(mask ? *mask : result);
  params[layout.number(0)] = seed.seed;
  params[layout.number(1)] = offset;
  params[layout.number(2)] = std::bit_cast<uint64_t>(what.a);
  params[layout.number(3)] =
      what.kind == Distribution::Integers ? static_cast<uint64_t>(what.from) : std::bit_cast<uint64_t>(what.b);
  params[layout.number(4)] = what.range;
  if (drops) { // neighbours as many as divide the elements, and as all three are aligned for
    uint64_t width = 4;
    auto fits = [&](const Tensor &tensor) { return addressOf(tensor) % (width * itemSize(tensor.dtype())) == 0; };
    while (width > 1 && (static_cast<uint64_t>(count) % width || !fits(result) || !fits(*self) || !fits(*mask)))
      width /= 2;
    params[layout.number(4)] = width;
  }
  params[layout.scalar(ParamsLayout::Count)] = static_cast<uint64_t>(count);
  TSC_RETURN_IF_ERROR(
      context.launch({function, static_cast<unsigned>(blocks), static_cast<unsigned>(threads), params}));
  return true;
}
