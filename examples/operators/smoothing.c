/*===- smoothing.c - Operators of one's own, in C ------------------------------===*\
|*
|* A shared library that brings two operators along:
|*
|*   cc -shared -fPIC smoothing.c $(pkg-config --cflags tsc) -o smoothing.so
|*   tsc-run --load-library smoothing.so smoothing.py
|*
|* It links nothing: the functions of tsc.h are those of the process that loads it.
|*
\*===----------------------------------------------------------------------===*/
#include <tsc-c/tsc.h>

static tsc_error *describe(const tsc_value *value, tsc_tensor *tensor) {
  tsc_error *error;
  tensor->struct_size = sizeof *tensor;
  error = tsc_tensor_get(value, tensor);
  if (!error && (tensor->dtype != TSC_FLOAT32 || tensor->rank != 1))
    error = tsc_error_new(TSC_INVALID_ARGUMENT, "a signal is a tensor of floats with one dimension");
  return error;
}

/* filters::smooth(Tensor signal, float weight=0.5) -> Tensor: each element is its signal's, weighted, and the one
 * before it, with the rest of the weight. */
static tsc_error *smooth(void *user, tsc_value *const *args, size_t num_args, tsc_value **results, size_t num_results) {
  tsc_tensor signal;
  double weight;
  void *data;
  tsc_error *error = describe(args[0], &signal);
  (void)user, (void)num_args, (void)num_results;
  if (!error)
    error = tsc_value_get_float(args[1], &weight);
  if (!error && !(weight >= 0 && weight <= 1))
    error = tsc_error_new(TSC_INVALID_ARGUMENT, "the weight of smooth() lies between 0 and 1");
  if (!error)
    error = tsc_value_new_empty_tensor(&signal, &results[0]);
  if (!error)
    error = tsc_tensor_mutable_data(results[0], &data);
  if (!error) {
    const float *from = signal.data;
    float *to = data, last = 0;
    for (int64_t i = 0; i < signal.sizes[0]; ++i)
      to[i] = last = (float)(weight * from[i * signal.strides[0]] + (1 - weight) * last);
  }
  return error;
}

/* filters::clip_(Tensor(a!) signal, float limit) -> Tensor(a!): in place. */
static tsc_error *clip(void *user, tsc_value *const *args, size_t num_args, tsc_value **results, size_t num_results) {
  tsc_tensor signal;
  double limit;
  void *data;
  tsc_error *error = describe(args[0], &signal);
  (void)user, (void)num_args, (void)num_results;
  if (!error)
    error = tsc_value_get_float(args[1], &limit);
  if (!error)
    error = tsc_tensor_mutable_data(args[0], &data);
  if (!error) {
    float *elements = data;
    for (int64_t i = 0; i < signal.sizes[0]; ++i) {
      float *element = &elements[i * signal.strides[0]];
      *element = *element > limit ? (float)limit : *element < -limit ? (float)-limit : *element;
    }
    results[0] = tsc_value_new_reference(args[0]);
  }
  return error;
}

TSC_LIBRARY(operators) {
  tsc_error *error =
      tsc_operators_add(operators, "filters::smooth(Tensor signal, float weight=0.5) -> Tensor", smooth, NULL, NULL);
  if (!error)
    error =
        tsc_operators_add(operators, "filters::clip_(Tensor(a!) signal, float limit) -> Tensor(a!)", clip, NULL, NULL);
  return error;
}
