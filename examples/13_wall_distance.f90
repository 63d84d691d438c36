! SPDX-License-Identifier: Apache-2.0
! Wall distance and neighbor lists in Fortran.
program wall_distance_of_a_floor
  use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t
  use shoal, only: error_message, neighbor_list, wall_distance
  implicit none
  type(wall_distance) :: walls, bin
  type(neighbor_list) :: neighbors
  real(c_double) :: distance(2), nearest(3, 2)
  integer(c_int64_t) :: face(2)
  integer(c_int64_t), allocatable :: offsets(:)
  integer(c_int32_t), allocatable :: indices(:)
  integer :: i, stat

  ! A floor of one square with sides of 2 m in the plane z = 0.
  real(c_double), parameter :: floor(3, 4) = reshape([-1d0, -1d0, 0d0, 1d0, -1d0, 0d0, 1d0, 1d0, 0d0, -1d0, 1d0, 0d0], [3, 4])
  real(c_double), parameter :: points(3, 2) = reshape([0d0, 0d0, 0.25d0, 4d0, 0d0, 4d0], [3, 2])
  ! A bin without a lid, of five squares: its inside is where its winding number exceeds 1/2.
  real(c_double), parameter :: bin_points(3, 8) = reshape([-1d0, -1d0, -1d0, 1d0, -1d0, -1d0, 1d0, 1d0, -1d0, -1d0, 1d0, -1d0, &
    -1d0, -1d0, 1d0, 1d0, -1d0, 1d0, 1d0, 1d0, 1d0, -1d0, 1d0, 1d0], [3, 8])
  integer(c_int64_t), parameter :: bin_start(6) = [1, 5, 9, 13, 17, 21]
  integer(c_int64_t), parameter :: bin_corners(20) = [1, 4, 3, 2, 1, 2, 6, 5, 2, 3, 7, 6, 3, 4, 8, 7, 4, 1, 5, 8]
  real(c_double), parameter :: in_and_above(3, 2) = reshape([0d0, 0d0, -0.75d0, 0d0, 0d0, 5d0], [3, 2])
  ! Four points on a line, 1 m apart, in a period of 4 m: each has two neighbors.
  real(c_double), parameter :: line(2, 4) = reshape([0.5d0, 0d0, 1.5d0, 0d0, 2.5d0, 0d0, 3.5d0, 0d0], [2, 4])

  call walls%create(floor, face_start=[1_c_int64_t, 5_c_int64_t], corners=[1_c_int64_t, 2_c_int64_t, 3_c_int64_t, 4_c_int64_t])
  call walls%find(points, distance, face, nearest)
  do i = 1, 2
    print '(a, i0, a, f6.3, a, i0, a, 3f6.2)', "point ", i, ":", distance(i), " m from face ", face(i), " at", nearest(:, i)
  end do
  if (any(distance /= [0.25d0, 5d0]) .or. any(face /= 1) .or. any(nearest(:, 2) /= [1d0, 0d0, 0d0])) error stop 1

  call bin%create(bin_points, bin_start, bin_corners, inside="winding_number")
  call bin%find(in_and_above, distance)
  print '(a, 2f7.3, a)', "distances from the bin:", distance, " m"
  if (distance(1) /= -0.25d0 .or. abs(distance(2) - sqrt(17d0)) > 1d-15) error stop 1

  call neighbors%create(2, 1.5d0, periodic=[.true., .false.], lower=[0d0, 0d0], upper=[4d0, 0d0])
  call neighbors%find(line, offsets, indices)
  print '(a, *(1x, i0))', "point 1 has the neighbors", indices(offsets(1):offsets(2) - 1)

  ! A failure with `stat` does not stop the program.
  call neighbors%create(2, -1d0, stat=stat)
  print '(a)', error_message()

  if (any(offsets /= [1, 3, 5, 7, 9]) .or. any(indices /= [2, 4, 1, 3, 2, 4, 1, 3]) .or. stat == 0) error stop 1
end program
