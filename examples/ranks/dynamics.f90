! dynamics.f90 - Molecular dynamics with a communicator of its own, as dynamics.c does it.
!
!   mpicc -c communicator.c $(pkg-config --cflags tsc)
!   mpif90 ../fortran/tsc.f90 dynamics.f90 communicator.o $(pkg-config --libs tsc) -o dynamics
!   mpirun -n 4 ./dynamics dynamics.py
program dynamics
  use mpi
  use tsc
  implicit none
  integer, parameter :: double = c_double
  real(double), parameter :: dt = 0.005_double

  interface
    function set_communicator(context, communicator, timeout) bind(c) result(error)
      import
      type(c_ptr), value :: context
      integer(c_int), value :: communicator
      real(c_double), value :: timeout
      type(c_ptr) :: error
    end function
  end interface

  type(c_ptr) :: model, context, lattice, migrate, forces
  real(double), allocatable :: atoms(:, :), force(:, :) ! a column for each atom: number, coordinates, velocities
  integer :: error, rank, communicator, step
  character(len=4096) :: path

  call MPI_Init(error)
  if (command_argument_count() /= 1) stop "usage: dynamics MODEL"
  call get_command_argument(1, path)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, communicator, error) ! the host's own: all processes, in another order

  call tsc_check(tsc_program_load(trim(path) // c_null_char, c_null_ptr, model))
  call tsc_check(tsc_program_find(model, "lattice" // c_null_char, lattice))
  call tsc_check(tsc_program_find(model, "migrate" // c_null_char, migrate))
  call tsc_check(tsc_program_find(model, "forces" // c_null_char, forces))
  call tsc_check(tsc_context_new(model, context))
  call tsc_check(set_communicator(context, communicator, 60.0_double))

  call ask(lattice, tsc_value_new_int(8_c_int64_t), 7, atoms)
  call ask(forces, rows(atoms), 4, force)
  do step = 0, 100
    if (mod(step, 10) == 0) call report()
    atoms(5:7, :) = atoms(5:7, :) + 0.5_double * dt * force(1:3, :)
    atoms(2:4, :) = atoms(2:4, :) + dt * atoms(5:7, :)
    if (mod(step, 10) == 9) call ask(migrate, rows(atoms), 7, atoms)
    call ask(forces, rows(atoms), 4, force)
    atoms(5:7, :) = atoms(5:7, :) + 0.5_double * dt * force(1:3, :)
  end do

  call tsc_check(tsc_context_set_communicator(context, c_null_ptr, 0.0_double)) ! before MPI_Finalize
  call tsc_entry_free(lattice)
  call tsc_entry_free(migrate)
  call tsc_entry_free(forces)
  call tsc_context_free(context)
  call tsc_program_free(model)
  call MPI_Comm_free(communicator, error)
  call MPI_Finalize(error)

contains

  ! A copy of the columns as the model takes them: a row for each atom.
  function rows(columns) result(value)
    real(double), intent(in), target, contiguous :: columns(:, :)
    type(c_ptr) :: value
    type(tsc_tensor) :: tensor
    integer(c_int64_t), target :: sizes(2)
    sizes = [size(columns, 2), size(columns, 1)]
    tensor%struct_size = c_sizeof(tensor)
    tensor%data = c_loc(columns)
    tensor%sizes = c_loc(sizes)
    tensor%strides = c_null_ptr
    tensor%rank = 2
    tensor%dtype = tsc_float64
    tensor%flags = tsc_row_major
    call tsc_check(tsc_value_new_tensor_copy(tensor, value))
  end function

  ! Calls an entry, and copies the rows of its result to the columns of an array.
  subroutine ask(entry, argument, width, columns)
    type(c_ptr), intent(in) :: entry, argument
    integer, intent(in) :: width
    real(double), allocatable, target, intent(out) :: columns(:, :)
    type(c_ptr) :: args(1), output
    type(tsc_tensor) :: found, copy
    integer(c_int64_t), pointer :: sizes(:)
    args(1) = argument
    call tsc_check(tsc_entry_run(entry, context, args, 1_c_size_t, output))
    call tsc_value_free(argument)
    found%struct_size = c_sizeof(found)
    call tsc_check(tsc_tensor_get(output, found))
    call c_f_pointer(found%sizes, sizes, [2])
    if (found%rank /= 2 .or. sizes(2) /= width) stop "the model gives other rows"
    allocate(columns(width, sizes(1)))
    copy = found
    copy%data = c_loc(columns)
    copy%strides = c_null_ptr
    copy%dtype = tsc_float64
    copy%flags = tsc_row_major
    call tsc_check(tsc_tensor_copy_to(output, copy))
    call tsc_value_free(output)
  end subroutine

  subroutine report()
    real(double) :: own(2), all(2)
    own = [sum(force(4, :)), 0.5_double * sum(atoms(5:7, :)**2)]
    call MPI_Reduce(own, all, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, communicator, error)
    call MPI_Comm_rank(communicator, rank, error)
    if (rank == 0) print '(a, i3, 3(a, f0.10))', "step ", step, " potential ", all(1), " kinetic ", all(2), &
      " total ", sum(all)
  end subroutine

end program
