// SPDX-License-Identifier: Apache-2.0
// Projection of points to the screen: a window in 2-D, or an eye that orbits a box in 3-D.

class PlaneView {
  constructor(box) {
    this.box = box;
    this.fit();
  }

  fit() {
    this.middle = [(this.box.low[0] + this.box.high[0]) / 2, (this.box.low[1] + this.box.high[1]) / 2];
    this.zoom = 1;
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    const [w, h] = [0, 1].map((axis) => this.box.high[axis] - this.box.low[axis]);
    this.fitted = Math.min(width / w, height / h);
  }

  /** Pixels per meter. */
  get scale() {
    return this.fitted * this.zoom;
  }
  x(value) {
    return (value - this.middle[0]) * this.scale + this.width / 2;
  }
  y(value) {
    return this.height / 2 - (value - this.middle[1]) * this.scale;
  }
  /** Point of the plane at a pixel. */
  at(x, y) {
    return [this.middle[0] + (x - this.width / 2) / this.scale, this.middle[1] - (y - this.height / 2) / this.scale];
  }

  drag(dx, dy) {
    this.middle = [this.middle[0] - dx / this.scale, this.middle[1] + dy / this.scale];
  }

  zoomBy(factor, x = this.width / 2, y = this.height / 2) {
    const before = this.at(x, y);
    this.zoom = Math.max(0.5, Math.min(4000, this.zoom * factor));
    const after = this.at(x, y);
    this.middle = this.middle.map((value, axis) => value + before[axis] - after[axis]);
  }
}

class OrbitView {
  /** `first`: turn about z and tilt above the horizon, radians. */
  constructor(box, first) {
    this.box = box;
    this.first = first;
    this.center = box.low.map((low, axis) => (low + box.high[axis]) / 2);
    this.size = Math.hypot(...box.low.map((low, axis) => box.high[axis] - low)) / 2;
    this.fit();
  }

  fit() {
    ({turn: this.turn, tilt: this.tilt} = this.first);
    this.zoom = 1;
    this.aim();
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    this.fitted = 0;
    this.middle = [0, 0];
    const corners = this.corners().map((corner) => this.flat(...corner, []));
    const xs = corners.map((c) => c[0]), ys = corners.map((c) => c[1]);
    const wide = Math.max(...xs) - Math.min(...xs), high = Math.max(...ys) - Math.min(...ys);
    this.fitted = 0.94 * Math.min(width / wide, height / high);
    this.middle = [(Math.max(...xs) + Math.min(...xs)) / 2, (Math.max(...ys) + Math.min(...ys)) / 2];
  }

  aim() {
    const [ct, st, cp, sp] = [Math.cos(this.turn), Math.sin(this.turn), Math.cos(this.tilt), Math.sin(this.tilt)];
    this.right = [ct, st, 0];
    this.up = [-st * sp, ct * sp, cp];
    this.away = [-st * cp, ct * cp, -sp];  // from the eye into the picture
  }

  corners() {
    return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0, 1, 2].map((axis) => ((k >> axis) & 1 ? this.box.high : this.box.low)[axis]));
  }

  /** Puts into `at`: x and y on the picture's plane in m, the depth behind the box's center, the magnification. */
  flat(x, y, z, at) {
    const {right, up, away, center} = this, dx = x - center[0], dy = y - center[1], dz = z - center[2];
    const depth = dx * away[0] + dy * away[1] + dz * away[2], near = 1 / (1 + depth / (4.5 * this.size));
    at[0] = (dx * right[0] + dy * right[1] + dz * right[2]) * near;
    at[1] = (dx * up[0] + dy * up[1] + dz * up[2]) * near;
    at[2] = depth;
    at[3] = near;
    return at;
  }

  get scale() {
    return this.fitted * this.zoom;
  }

  /** As flat(), with x and y in pixels. */
  seen(x, y, z, at) {
    this.flat(x, y, z, at);
    at[0] = (at[0] - this.middle[0]) * this.scale + this.width / 2;
    at[1] = this.height / 2 - (at[1] - this.middle[1]) * this.scale;
    return at;
  }

  drag(dx, dy) {
    this.turn -= 0.008 * dx;
    this.tilt = Math.max(-1.5, Math.min(1.5, this.tilt + 0.008 * dy));
    this.aim();
  }

  zoomBy(factor) {
    this.zoom = Math.max(0.3, Math.min(40, this.zoom * factor));
  }
}
