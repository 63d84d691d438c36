/* SPDX-License-Identifier: Apache-2.0 */
/* Wall distance and neighbor lists for C, Fortran and other languages; docs/c_and_fortran.md has examples.

   Every function that can fail returns a status, SHOAL_OK on success. shoal_error_message() then says what was wrong,
   what was expected and what to do. After an error, arrays for results hold nothing of use, and a plan can be used again.

   All arrays are in host memory, and computing runs on CPU threads. Positions are in m, point after point: x0 y0 z0 x1 y1
   z1 ..., or x0 y0 x1 y1 ... in two dimensions. Points and faces count from 0. One thread at a time uses a plan; several
   threads may use several plans. Results have the bits of the C++ library, for any number of threads. */
#ifndef SHOAL_C_SHOAL_H
#define SHOAL_C_SHOAL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a function. */
enum {
  SHOAL_OK = 0,       /**< success */
  SHOAL_INVALID = 1,  /**< an argument or an array is invalid */
  SHOAL_NO_MEMORY = 2 /**< memory is exhausted */
};

/** Returns the message of the last function of this thread that failed; empty if none has. The text is valid until the next
    call of this thread. */
const char* shoal_error_message(void);

/** Distance from points to the nearest of given faces. */
typedef struct shoal_wall_distance shoal_wall_distance;

/** Rule that determines which points are inside the walls, where distances are negative. */
enum {
  SHOAL_UNSIGNED = 0,             /**< none: no distance is negative */
  SHOAL_INSIDE_CLOSED = 1,        /**< the walls are closed surfaces, which is checked: the side of the nearest face */
  SHOAL_INSIDE_WINDING_NUMBER = 2 /**< the winding number of the walls exceeds 1/2: for walls with holes, duplicate or
                                       intersecting faces, or some faces of wrong orientation */
};

/** Makes a plan for the faces of walls.
    A face of more than three corners is the fan of triangles from its corner with the smallest number.
    @param dimensions   2 or 3
    @param points       number of points of the faces
    @param position     [points][dimensions] m
    @param faces        number of faces
    @param face_start   [faces + 1] index in `corners` of the first corner of each face, from 0
    @param corners      [face_start[faces]] numbers of points, in order around each face: 2 in 2-D, 3 or more in 3-D
    @param inside       SHOAL_UNSIGNED, SHOAL_INSIDE_CLOSED or SHOAL_INSIDE_WINDING_NUMBER
    @param threads      number of threads, 0 for all
    @param plan         set to the plan, which shoal_wall_distance_destroy() frees; NULL on failure */
int shoal_wall_distance_create(int dimensions, int64_t points, const double* position, int64_t faces,
                               const int64_t* face_start, const int64_t* corners, int inside, int threads,
                               shoal_wall_distance** plan);

/** Finds the nearest faces.
    @param count     number of points
    @param position  [count][dimensions] m
    @param distance  [count] m, negative inside the walls if the plan has a rule for it
    @param face      [count] number of the nearest face, of several the smallest; NULL: not wanted
    @param nearest   [count][dimensions] m, nearest point of that face; NULL: not wanted */
int shoal_wall_distance_find(shoal_wall_distance* plan, int64_t count, const double* position, double* distance,
                             int64_t* face, double* nearest);

/** Changes the positions of the points of the faces, for walls that move or deform.
    @param points    as many as the plan has
    @param position  [points][dimensions] m */
int shoal_wall_distance_refit(shoal_wall_distance* plan, int64_t points, const double* position);

/** Frees a plan; NULL is allowed. */
void shoal_wall_distance_destroy(shoal_wall_distance* plan);

/** List of all points within a radius of each point. */
typedef struct shoal_neighbors shoal_neighbors;

/** Makes a plan for neighbor lists.
    @param dimensions  2 or 3
    @param radius      m; neighbors have a distance below the radius
    @param periodic    [dimensions] not 0 for periodic axes; NULL: none is
    @param lower       [dimensions] m, lower bounds of the periodic axes; NULL: none is periodic
    @param upper       [dimensions] m, upper bounds of the periodic axes; NULL: none is periodic
    @param threads     number of threads, 0 for all
    @param plan        set to the plan, which shoal_neighbors_destroy() frees; NULL on failure */
int shoal_neighbors_create(int dimensions, double radius, const int* periodic, const double* lower, const double* upper,
                           int threads, shoal_neighbors** plan);

/** Finds the neighbors of each of some points among them, without the point itself. The list belongs to the plan and is
    valid until the next call with it.
    @param count     number of points
    @param position  [count][dimensions] m
    @param offsets   receives [count + 1]: the neighbors of point i are indices[offsets[i]] to indices[offsets[i + 1] - 1]
    @param indices   receives [offsets[count]] numbers of points, ascending in each row */
int shoal_neighbors_find(shoal_neighbors* plan, int64_t count, const double* position, const int64_t** offsets,
                         const int32_t** indices);

/** Frees a plan; NULL is allowed. */
void shoal_neighbors_destroy(shoal_neighbors* plan);

#ifdef __cplusplus
}
#endif

#endif
