! tsc.f90 - What a Fortran program needs of tsc-c/tsc.h, by iso_c_binding.
!
! Handles are type(c_ptr). A function that can fail gives an error, which is c_null_ptr for success: see tsc_check().
module tsc
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer(c_int32_t), parameter :: tsc_float32 = 6, tsc_float64 = 7, tsc_int64 = 4
  integer(c_int32_t), parameter :: tsc_row_major = 0, tsc_column_major = 1

  type, bind(c) :: tsc_tensor
    integer(c_size_t) :: struct_size
    type(c_ptr) :: data
    type(c_ptr) :: sizes
    type(c_ptr) :: strides
    integer(c_int32_t) :: rank
    integer(c_int32_t) :: dtype
    integer(c_int32_t) :: flags
  end type

  interface
    function tsc_program_load(path, options, program) bind(c) result(error)
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: options
      type(c_ptr), intent(out) :: program
      type(c_ptr) :: error
    end function
    subroutine tsc_program_free(program) bind(c)
      import
      type(c_ptr), value :: program
    end subroutine
    function tsc_program_find(program, name, entry) bind(c) result(error)
      import
      type(c_ptr), value :: program
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: entry
      type(c_ptr) :: error
    end function
    subroutine tsc_entry_free(entry) bind(c)
      import
      type(c_ptr), value :: entry
    end subroutine
    function tsc_context_new(program, context) bind(c) result(error)
      import
      type(c_ptr), value :: program
      type(c_ptr), intent(out) :: context
      type(c_ptr) :: error
    end function
    subroutine tsc_context_free(context) bind(c)
      import
      type(c_ptr), value :: context
    end subroutine
    function tsc_context_set_communicator(context, communicator, timeout) bind(c) result(error)
      import
      type(c_ptr), value :: context, communicator
      real(c_double), value :: timeout
      type(c_ptr) :: error
    end function
    function tsc_entry_run(entry, context, args, num_args, result_value) bind(c) result(error)
      import
      type(c_ptr), value :: entry, context
      type(c_ptr), intent(in) :: args(*)
      integer(c_size_t), value :: num_args
      type(c_ptr), intent(out) :: result_value
      type(c_ptr) :: error
    end function
    function tsc_value_new_tensor(tensor, release, user, value) bind(c) result(error)
      import
      type(tsc_tensor), intent(in) :: tensor
      type(c_funptr), value :: release
      type(c_ptr), value :: user
      type(c_ptr), intent(out) :: value
      type(c_ptr) :: error
    end function
    function tsc_value_new_tensor_copy(tensor, value) bind(c) result(error)
      import
      type(tsc_tensor), intent(in) :: tensor
      type(c_ptr), intent(out) :: value
      type(c_ptr) :: error
    end function
    function tsc_value_new_int(number) bind(c) result(value)
      import
      integer(c_int64_t), value :: number
      type(c_ptr) :: value
    end function
    subroutine tsc_value_free(value) bind(c)
      import
      type(c_ptr), value :: value
    end subroutine
    function tsc_tensor_get(value, tensor) bind(c) result(error)
      import
      type(c_ptr), value :: value
      type(tsc_tensor), intent(inout) :: tensor
      type(c_ptr) :: error
    end function
    function tsc_tensor_copy_to(value, destination) bind(c) result(error)
      import
      type(c_ptr), value :: value
      type(tsc_tensor), intent(in) :: destination
      type(c_ptr) :: error
    end function
    function tsc_error_message(error) bind(c) result(text)
      import
      type(c_ptr), value :: error
      type(c_ptr) :: text
    end function
    subroutine tsc_error_free(error) bind(c)
      import
      type(c_ptr), value :: error
    end subroutine
    function tsc_strlen(text) bind(c, name="strlen") result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  ! Ends the program with the message of an error.
  subroutine tsc_check(error)
    type(c_ptr), intent(in) :: error
    character(kind=c_char), pointer :: text(:)
    type(c_ptr) :: message
    if (.not. c_associated(error)) return
    message = tsc_error_message(error)
    call c_f_pointer(message, text, [tsc_strlen(message)])
    write (*, '(*(a))') "error: ", text
    call tsc_error_free(error)
    stop 1
  end subroutine

  ! An array of two dimensions in its place, as the columns of a Fortran array lie. `sizes` and `array` outlive its use.
  function tsc_matrix(array, sizes) result(tensor)
    real(c_float), intent(in), target, contiguous :: array(:, :)
    integer(c_int64_t), intent(in), target :: sizes(2)
    type(tsc_tensor) :: tensor
    tensor%struct_size = c_sizeof(tensor)
    tensor%data = c_loc(array)
    tensor%sizes = c_loc(sizes)
    tensor%strides = c_null_ptr
    tensor%rank = 2
    tensor%dtype = tsc_float32
    tensor%flags = tsc_column_major
  end function

end module
