/* control_loop.c - A policy steers a cart to the middle.
 *
 *   cc control_loop.c $(pkg-config --cflags --libs tsc) -o control_loop
 *   ./control_loop policy.py                any policy that takes a tensor (1, 2) and gives one (1, 1), also an archive
 */
#include <stdio.h>
#include <tsc-c/tsc.h>

static int report(tsc_error *error) {
  fprintf(stderr, "control_loop: %s\n", tsc_error_message(error));
  tsc_error_free(error);
  return 1;
}

int main(int argc, char **argv) {
  float state[2] = {1.0f, 0.0f}, force = 0; /* position and velocity, m and m/s; N */
  const float dt = 0.01f;
  const int64_t state_sizes[2] = {1, 2}, force_sizes[2] = {1, 1};
  tsc_tensor state_memory = {sizeof(tsc_tensor), state, state_sizes, NULL, 2, TSC_FLOAT32, 0};
  tsc_tensor force_memory = {sizeof(tsc_tensor), &force, force_sizes, NULL, 2, TSC_FLOAT32, 0};
  tsc_program *program = NULL;
  tsc_entry *policy = NULL;
  tsc_context *context = NULL;
  tsc_value *observation = NULL, *action = NULL;
  tsc_error *error;
  int step;

  if (argc != 2) {
    fprintf(stderr, "usage: control_loop POLICY\n");
    return 2;
  }
  error = tsc_program_load(argv[1], NULL, &program);
  if (!error)
    error = tsc_program_find(program, NULL, &policy);
  if (!error)
    error = tsc_context_new(program, &context);
  if (!error) /* the tensor is `state` itself: what the loop writes there, the next call reads */
    error = tsc_value_new_tensor(&state_memory, NULL, NULL, &observation);

  /* Before the loop: the calls that ask for code, so that none is made while the cart moves. */
  for (step = 0; step < 3 && !error; ++step) {
    error = tsc_entry_run(policy, context, &observation, 1, &action);
    tsc_value_free(action);
    if (!error)
      error = tsc_program_finish_compiling(program);
  }

  for (step = 0; step < 1000 && !error; ++step) {
    error = tsc_entry_run(policy, context, &observation, 1, &action);
    if (!error)
      error = tsc_tensor_copy_to(action, &force_memory); /* into `force` */
    tsc_value_free(action);
    state[1] += force * dt; /* a cart of 1 kg */
    state[0] += state[1] * dt;
    if (step % 200 == 0)
      printf("t = %4.1f s, position %7.4f m, force %7.4f N\n", step * dt, state[0], force);
  }

  if (!error)
    printf("at the end: position %.4f m, velocity %.4f m/s\n", state[0], state[1]);
  tsc_value_free(observation);
  tsc_context_free(context);
  tsc_entry_free(policy);
  tsc_program_free(program);
  return error ? report(error) : 0;
}
