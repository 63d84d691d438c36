/* SPDX-License-Identifier: Apache-2.0 */
/* Wall distance and neighbor lists in C. */
#include <shoal/c/shoal.h>

#include <math.h>
#include <stdio.h>

/* Ends the program with the message of shoal if a function failed. */
static int failed(int status) {
  if (status != SHOAL_OK) fprintf(stderr, "%s\n", shoal_error_message());
  return status != SHOAL_OK;
}

int main(void) {
  /* A floor of one square with sides of 2 m in the plane z = 0. */
  const double corners_of_floor[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
  const int64_t face_start[] = {0, 4}, corners[] = {0, 1, 2, 3};
  shoal_wall_distance* walls = NULL;
  if (failed(shoal_wall_distance_create(3, 4, corners_of_floor, 1, face_start, corners, SHOAL_UNSIGNED, 0, &walls)))
    return 1;

  const double points[] = {0, 0, 0.25, 4, 0, 4};
  double distance[2], nearest[6];
  int64_t face[2];
  const int found = shoal_wall_distance_find(walls, 2, points, distance, face, nearest);
  shoal_wall_distance_destroy(walls);
  if (failed(found)) return 1;
  for (int i = 0; i < 2; ++i)
    printf("point %d: %g m from face %d at %g %g %g\n", i, distance[i], (int)face[i], nearest[3 * i],
           nearest[3 * i + 1], nearest[3 * i + 2]);

  /* Four points on a line, 1 m apart, in a period of 4 m: each has two neighbors. */
  const double line[] = {0.5, 0, 1.5, 0, 2.5, 0, 3.5, 0};
  const int periodic[] = {1, 0};
  const double lower[] = {0, 0}, upper[] = {4, 0};
  const int64_t* offsets = NULL;
  const int32_t* indices = NULL;
  shoal_neighbors* neighbors = NULL;
  if (failed(shoal_neighbors_create(2, 1.5, periodic, lower, upper, 0, &neighbors))) return 1;
  if (failed(shoal_neighbors_find(neighbors, 4, line, &offsets, &indices))) return 1;
  const int64_t entries = offsets[4];
  printf("point 0 has the neighbors %d and %d\n", (int)indices[0], (int)indices[1]);
  shoal_neighbors_destroy(neighbors);

  const int right = distance[0] == 0.25 && distance[1] == 5 && nearest[3] == 1 && entries == 8;
  return right ? 0 : 1;
}
