/* SPDX-License-Identifier: Apache-2.0 */
/* An installed shoal from C: the distance of a point from a wall in the plane, and the message of a failure. */
#include <shoal/c/shoal.h>

#include <string.h>

int main(void) {
  const double wall[] = {0, 0, 2, 0}, point[] = {1, 3};
  const int64_t face_start[] = {0, 2}, corners[] = {0, 1};
  shoal_wall_distance* plan = 0;
  double distance = 0;
  if (shoal_wall_distance_create(2, 2, wall, 1, face_start, corners, SHOAL_UNSIGNED, 1, &plan) != SHOAL_OK) return 1;
  if (shoal_wall_distance_find(plan, 1, point, &distance, 0, 0) != SHOAL_OK) return 2;
  shoal_wall_distance_destroy(plan);
  if (shoal_wall_distance_create(1, 2, wall, 1, face_start, corners, SHOAL_UNSIGNED, 1, &plan) == SHOAL_OK) return 3;
  return distance == 3 && strstr(shoal_error_message(), "dimensions is 1") ? 0 : 4;
}
