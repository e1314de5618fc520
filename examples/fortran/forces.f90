! forces.f90 - A model gives the forces on particles whose positions are columns of a Fortran array.
!
!   gfortran tsc.f90 forces.f90 $(pkg-config --libs tsc) -o forces && ./forces forces.py
program forces
  use tsc
  implicit none
  integer, parameter :: particles = 4
  ! One row for each particle, as the model takes them: Fortran keeps each column, all x, in one piece.
  real(c_float), target :: positions(particles, 3), force(particles, 3)
  integer(c_int64_t), target :: sizes(2) = [particles, 3]
  type(c_ptr) :: program, entry, context, args(1), output
  character(len=4096) :: path
  integer :: i, step

  if (command_argument_count() /= 1) stop "usage: forces MODEL"
  call get_command_argument(1, path)
  positions = reshape([(real(i, c_float), i = 1, size(positions))], shape(positions))

  call tsc_check(tsc_program_load(trim(path) // c_null_char, c_null_ptr, program))
  call tsc_check(tsc_program_find(program, c_null_char, entry))
  call tsc_check(tsc_context_new(program, context))
  call tsc_check(tsc_value_new_tensor(tsc_matrix(positions, sizes), c_null_funptr, c_null_ptr, args(1)))
  do step = 1, 3
    call tsc_check(tsc_entry_run(entry, context, args, 1_c_size_t, output))
    call tsc_check(tsc_tensor_copy_to(output, tsc_matrix(force, sizes)))
    call tsc_value_free(output)
    positions = positions + 0.1 * force ! where the tensor has its elements, too
  end do

  do i = 1, particles
    print '(a, i0, a, 3f9.4)', "force on ", i, ":", force(i, :)
  end do
  call tsc_value_free(args(1))
  call tsc_context_free(context)
  call tsc_entry_free(entry)
  call tsc_program_free(program)
end program
