! SPDX-License-Identifier: Apache-2.0
!> Wall distance and neighbor lists in Fortran 2008, by the C interface shoal/c/shoal.h.
!>
!> Positions are real(c_double) arrays of the shape (dimensions, points), m. Points and faces count from 1. Subroutines
!> that can fail have an optional argument `stat`: 0 on success. Without it a failure stops the program with its message;
!> error_message() returns the message of the last failure. All computing is on CPU threads.
module shoal
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_f_pointer, c_int, c_int32_t, c_int64_t, &
    c_loc, c_null_char, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private
  public :: wall_distance, neighbor_list, error_message

  !> Distance from points to the nearest of given faces.
  type :: wall_distance
    private
    type(c_ptr) :: plan = c_null_ptr
    integer(c_int) :: dimensions = 0
  contains
    procedure :: create => wall_distance_create
    procedure :: find => wall_distance_find
    procedure :: refit => wall_distance_refit
    procedure :: destroy => wall_distance_destroy
    procedure, private :: wall_distance_copy
    generic :: assignment(=) => wall_distance_copy
    final :: wall_distance_final
  end type

  !> Points within a radius of each point.
  type :: neighbor_list
    private
    type(c_ptr) :: plan = c_null_ptr
    integer(c_int) :: dimensions = 0
  contains
    procedure :: create => neighbor_list_create
    procedure :: find => neighbor_list_find
    procedure :: destroy => neighbor_list_destroy
    procedure, private :: neighbor_list_copy
    generic :: assignment(=) => neighbor_list_copy
    final :: neighbor_list_final
  end type

  interface
    function c_error_message() bind(c, name="shoal_error_message") result(message)
      import :: c_ptr
      type(c_ptr) :: message
    end function
    function c_strlen(text) bind(c, name="strlen") result(length)
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: text
      integer(c_int64_t) :: length
    end function
    function c_wall_create(dimensions, points, position, faces, face_start, corners, inside, threads, plan) &
      bind(c, name="shoal_wall_distance_create") result(status)
      import :: c_ptr, c_int, c_int64_t, c_double
      integer(c_int), value :: dimensions, inside, threads
      integer(c_int64_t), value :: points, faces
      real(c_double), intent(in) :: position(*)
      integer(c_int64_t), intent(in) :: face_start(*), corners(*)
      type(c_ptr), intent(out) :: plan
      integer(c_int) :: status
    end function
    function c_wall_find(plan, count, position, distance, face, nearest) bind(c, name="shoal_wall_distance_find") &
      result(status)
      import :: c_ptr, c_int, c_int64_t, c_double
      type(c_ptr), value :: plan, face, nearest
      integer(c_int64_t), value :: count
      real(c_double), intent(in) :: position(*)
      real(c_double), intent(out) :: distance(*)
      integer(c_int) :: status
    end function
    function c_wall_refit(plan, points, position) bind(c, name="shoal_wall_distance_refit") result(status)
      import :: c_ptr, c_int, c_int64_t, c_double
      type(c_ptr), value :: plan
      integer(c_int64_t), value :: points
      real(c_double), intent(in) :: position(*)
      integer(c_int) :: status
    end function
    subroutine c_wall_destroy(plan) bind(c, name="shoal_wall_distance_destroy")
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine
    function c_neighbors_create(dimensions, radius, periodic, lower, upper, threads, plan) &
      bind(c, name="shoal_neighbors_create") result(status)
      import :: c_ptr, c_int, c_double
      integer(c_int), value :: dimensions, threads
      real(c_double), value :: radius
      integer(c_int), intent(in) :: periodic(*)
      real(c_double), intent(in) :: lower(*), upper(*)
      type(c_ptr), intent(out) :: plan
      integer(c_int) :: status
    end function
    function c_neighbors_find(plan, count, position, offsets, indices) bind(c, name="shoal_neighbors_find") &
      result(status)
      import :: c_ptr, c_int, c_int64_t, c_double
      type(c_ptr), value :: plan
      integer(c_int64_t), value :: count
      real(c_double), intent(in) :: position(*)
      type(c_ptr), intent(out) :: offsets, indices
      integer(c_int) :: status
    end function
    subroutine c_neighbors_destroy(plan) bind(c, name="shoal_neighbors_destroy")
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine
  end interface

contains

  !> Message of the last failure of this thread; empty if there was none.
  function error_message() result(message)
    character(:), allocatable :: message
    type(c_ptr) :: text
    character(kind=c_char), pointer :: characters(:)
    integer :: i, length
    text = c_error_message()
    length = int(c_strlen(text))
    call c_f_pointer(text, characters, [length])
    allocate (character(length) :: message)
    do i = 1, length
      message(i:i) = characters(i)
    end do
  end function

  !> Hands the status to the caller, or stops the program.
  subroutine report(status, stat)
    integer(c_int), intent(in) :: status
    integer, intent(out), optional :: stat
    if (present(stat)) then
      stat = int(status)
    else if (status /= 0) then
      write (error_unit, '(a)') error_message()
      error stop 1
    end if
  end subroutine

  !> Makes a plan for the faces of walls; an earlier plan is freed.
  !> @param position    (2 or 3, points) m
  !> @param face_start  (faces + 1) index in `corners` of the first corner of each face, from 1; the last is the size + 1
  !> @param corners     numbers of points, in order around each face: 2 in 2-D, 3 or more in 3-D
  !> @param threads     number of threads; without it all
  !> @param inside      rule for negative distances inside the walls: "closed" (the walls are closed surfaces, which is
  !>                    checked) or "winding_number" (for walls with holes); without it no distance is negative
  subroutine wall_distance_create(this, position, face_start, corners, threads, inside, stat)
    class(wall_distance), intent(inout) :: this
    real(c_double), contiguous, intent(in) :: position(:, :)
    integer(c_int64_t), contiguous, intent(in) :: face_start(:), corners(:)
    integer, intent(in), optional :: threads
    character(*), intent(in), optional :: inside
    integer, intent(out), optional :: stat
    integer(c_int) :: thread_count, rule
    call this%destroy()
    thread_count = 0
    if (present(threads)) thread_count = int(threads, c_int)
    rule = 0
    if (present(inside)) then
      select case (inside)
      case ("closed")
        rule = 1
      case ("winding_number")
        rule = 2
      case default
        write (error_unit, '(3a)') "shoal: inside is """, inside, """, expected ""closed"" or ""winding_number"""
        error stop 1
      end select
    end if
    this%dimensions = int(size(position, 1), c_int)
    call report(c_wall_create(this%dimensions, size(position, 2, c_int64_t), position, size(face_start, 1, c_int64_t) - 1, &
      face_start - 1, corners - 1, rule, thread_count, this%plan), stat)
  end subroutine

  !> Finds the nearest faces.
  !> @param position  (dimensions, points) m
  !> @param distance  (points) m, negative inside the walls if `create` had a rule for it
  !> @param face      (points) number of the nearest face, of several the smallest
  !> @param nearest   (dimensions, points) m, nearest point of that face
  subroutine wall_distance_find(this, position, distance, face, nearest, stat)
    class(wall_distance), intent(in) :: this
    real(c_double), contiguous, intent(in) :: position(:, :)
    real(c_double), contiguous, intent(out) :: distance(:)
    integer(c_int64_t), contiguous, target, intent(out), optional :: face(:)
    real(c_double), contiguous, target, intent(out), optional :: nearest(:, :)
    integer, intent(out), optional :: stat
    integer(c_int) :: status
    type(c_ptr) :: face_pointer, nearest_pointer
    face_pointer = c_null_ptr
    nearest_pointer = c_null_ptr
    if (size(position, 1) /= this%dimensions .and. this%dimensions > 0) &
      error stop "shoal: position has another number of dimensions than the plan"
    if (size(distance) /= size(position, 2)) error stop "shoal: distance has another size than the points of position"
    if (present(face)) then
      if (size(face) /= size(distance)) error stop "shoal: face has another size than distance"
      if (size(face) > 0) face_pointer = c_loc(face)
    end if
    if (present(nearest)) then
      if (any(shape(nearest) /= shape(position))) error stop "shoal: nearest has another shape than position"
      if (size(nearest) > 0) nearest_pointer = c_loc(nearest)
    end if
    status = c_wall_find(this%plan, size(position, 2, c_int64_t), position, distance, face_pointer, nearest_pointer)
    if (status == 0 .and. present(face)) face = face + 1
    call report(status, stat)
  end subroutine

  !> Changes the positions of the points of the faces, for walls that move or deform.
  !> @param position  (dimensions, points) m, as many as in `create`
  subroutine wall_distance_refit(this, position, stat)
    class(wall_distance), intent(inout) :: this
    real(c_double), contiguous, intent(in) :: position(:, :)
    integer, intent(out), optional :: stat
    if (size(position, 1) /= this%dimensions .and. this%dimensions > 0) &
      error stop "shoal: position has another number of dimensions than the plan"
    call report(c_wall_refit(this%plan, size(position, 2, c_int64_t), position), stat)
  end subroutine

  !> Frees the plan.
  subroutine wall_distance_destroy(this)
    class(wall_distance), intent(inout) :: this
    call c_wall_destroy(this%plan)
    this%plan = c_null_ptr
  end subroutine

  subroutine wall_distance_final(this)
    type(wall_distance), intent(inout) :: this
    call this%destroy()
  end subroutine

  !> A copy would free the plan twice.
  subroutine wall_distance_copy(this, source)
    class(wall_distance), intent(inout) :: this
    class(wall_distance), intent(in) :: source
    if (c_associated(source%plan) .or. c_associated(this%plan)) &
      error stop "shoal: a wall_distance cannot be copied. Pass it as an argument, or use a pointer."
  end subroutine

  !> Makes a plan for neighbor lists; an earlier plan is freed.
  !> @param dimensions    2 or 3
  !> @param radius        m; neighbors have a distance below the radius
  !> @param periodic      (dimensions) true for periodic axes; without it none
  !> @param lower, upper  (dimensions) m, bounds of the periodic axes
  !> @param threads       number of threads; without it all
  subroutine neighbor_list_create(this, dimensions, radius, periodic, lower, upper, threads, stat)
    class(neighbor_list), intent(inout) :: this
    integer, intent(in) :: dimensions
    real(c_double), intent(in) :: radius
    logical, intent(in), optional :: periodic(:)
    real(c_double), intent(in), optional :: lower(:), upper(:)
    integer, intent(in), optional :: threads
    integer, intent(out), optional :: stat
    integer(c_int) :: thread_count, is_periodic(3)
    real(c_double) :: lower_bounds(3), upper_bounds(3)
    call this%destroy()
    thread_count = 0
    is_periodic = 0
    lower_bounds = 0
    upper_bounds = 0
    if (present(threads)) thread_count = int(threads, c_int)
    if (present(periodic)) is_periodic(:min(3, size(periodic))) = merge(1_c_int, 0_c_int, periodic(:min(3, size(periodic))))
    if (present(lower)) lower_bounds(:min(3, size(lower))) = lower(:min(3, size(lower)))
    if (present(upper)) upper_bounds(:min(3, size(upper))) = upper(:min(3, size(upper)))
    this%dimensions = int(dimensions, c_int)
    call report(c_neighbors_create(this%dimensions, radius, is_periodic, lower_bounds, upper_bounds, thread_count, &
      this%plan), stat)
  end subroutine

  !> Finds the neighbors of each of some points among them, without the point itself.
  !> @param position  (dimensions, points) m
  !> @param offsets   (points + 1) the neighbors of point i are indices(offsets(i) : offsets(i + 1) - 1)
  !> @param indices   numbers of points, ascending for each point
  subroutine neighbor_list_find(this, position, offsets, indices, stat)
    class(neighbor_list), intent(inout) :: this
    real(c_double), contiguous, intent(in) :: position(:, :)
    integer(c_int64_t), allocatable, intent(out) :: offsets(:)
    integer(c_int32_t), allocatable, intent(out) :: indices(:)
    integer, intent(out), optional :: stat
    integer(c_int) :: status
    integer(c_int64_t) :: points
    integer(c_int64_t), pointer :: offset_view(:)
    integer(c_int32_t), pointer :: index_view(:)
    type(c_ptr) :: offset_pointer, index_pointer
    if (size(position, 1) /= this%dimensions .and. this%dimensions > 0) &
      error stop "shoal: position has another number of dimensions than the plan"
    points = size(position, 2, c_int64_t)
    status = c_neighbors_find(this%plan, points, position, offset_pointer, index_pointer)
    if (status == 0) then
      call c_f_pointer(offset_pointer, offset_view, [points + 1])
      offsets = offset_view + 1
      if (offset_view(points + 1) > 0) then
        call c_f_pointer(index_pointer, index_view, [offset_view(points + 1)])
        indices = index_view + 1_c_int32_t
      else
        allocate (indices(0))
      end if
    end if
    call report(status, stat)
  end subroutine

  !> Frees the plan.
  subroutine neighbor_list_destroy(this)
    class(neighbor_list), intent(inout) :: this
    call c_neighbors_destroy(this%plan)
    this%plan = c_null_ptr
  end subroutine

  subroutine neighbor_list_final(this)
    type(neighbor_list), intent(inout) :: this
    call this%destroy()
  end subroutine

  !> A copy would free the plan twice.
  subroutine neighbor_list_copy(this, source)
    class(neighbor_list), intent(inout) :: this
    class(neighbor_list), intent(in) :: source
    if (c_associated(source%plan) .or. c_associated(this%plan)) &
      error stop "shoal: a neighbor_list cannot be copied. Pass it as an argument, or use a pointer."
  end subroutine

end module
