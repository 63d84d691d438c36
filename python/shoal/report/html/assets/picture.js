// SPDX-License-Identifier: Apache-2.0
// The canvas: items of one state in their colors, axes with units, and the item under the pointer.

const sharpPixels = 2.4e6;  // more pixels than these are drawn coarser: the eye gains nothing, the machine has to work

class Picture {
  constructor(canvas, scene) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.scene = scene;
    this.flat = scene.dimensions === 2;
    this.view = this.flat ? new PlaneView(scene.box) : new OrbitView(scene.box, scene.view);
    this.shown = scene.parts?.map((part) => this.flat || !part.wall || part.moves);
    this.cut = 0;
    this.slice = null;  // {axis, share}: only items near a plane across an axis, at a share of the box
    this.velocity = null;  // quantized velocities, if arrows are shown
    this.surface = null;  // triangles in place of the fluid
    this.coarse = false;
    this.state = 0;
  }

  /** Fits the canvas to its element after a change of size. */
  resize() {
    const {width, height} = this.canvas.getBoundingClientRect();
    if (!width || !height) return;
    const device = window.devicePixelRatio || 1;
    const wanted = this.coarse ? 1 : Math.max(device, device < 1.5 ? 2 : device);
    this.ratio = Math.max(0.5, Math.min(wanted, Math.sqrt(sharpPixels / (width * height))));
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
    this.left = this.flat ? Math.round((width < 500 ? 40 : 52) * this.ratio) : 0;
    this.below = this.flat ? Math.round(36 * this.ratio) : 0;
    this.raster = new Raster(Math.max(8, this.canvas.width - this.left), Math.max(8, this.canvas.height - this.below));
    this.view.resize(this.raster.width, this.raster.height);
    this.rasterized = null;
  }

  setCoarse(coarse) {
    if (coarse === this.coarse) return;
    this.coarse = coarse;
    this.resize();
  }

  /** Draws a state with values colored by a table of 65,536 (or 256) colors. */
  draw(state, colors, values) {
    if (!this.raster) return;
    this.state = state;
    const scene = this.scene;
    if (scene.kind === "cells") {
      if (!this.rasterized) this.fillCells();
    } else {
      this.raster.clear();
      if (this.flat) this.placeDiscs(state);
      else this.placeBalls(state);
      if (this.surface) this.placeTriangles(state);
    }
    this.rasterized = true;
    const image = this.raster.paint(colors, values, state * scene.items, !this.flat, this.surfaceColor);
    const context = this.context;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (!this.flat) this.drawBox();
    this.blend(image);
    if (this.velocity) this.drawArrows();
    if (this.flat) this.drawAxes();
    else this.drawCompass();
  }

  /** Draws the image over the canvas. */
  blend(image) {
    if (this.flat) {
      this.context.putImageData(image, this.left, 0);
      return;
    }
    if (!this.layer || this.layer.width !== image.width || this.layer.height !== image.height) {
      this.layer = document.createElement("canvas");
      this.layer.width = image.width;
      this.layer.height = image.height;
    }
    this.layer.getContext("2d").putImageData(image, 0, 0);
    this.context.drawImage(this.layer, this.left, 0);
  }

  placeDiscs(state) {
    const {scene, view, raster, shown} = this, {positions, items, low, step, part} = scene;
    const xs = 2 * state * items, ys = xs + items;
    const ax = view.x(low[0]), bx = view.scale * step[0], ay = view.y(low[1]), by = -view.scale * step[1];
    const radius = Math.max(0.8, 0.86 * scene.spacing * view.scale);
    for (let i = 0; i < items; ++i) {
      const qx = positions[xs + i];
      if (qx === 65535 || !shown[part[i]]) continue;
      raster.disc(i, ax + bx * qx, ay + by * positions[ys + i], radius);
    }
  }

  placeBalls(state) {
    const {scene, view, raster, slice} = this, {positions, items, low, step, part, box} = scene;
    const shown = this.shown.map((is, k) => is && (!this.surface || scene.parts[k].wall));
    const xs = 3 * state * items, ys = xs + items, zs = ys + items, radius = 0.58 * scene.spacing;
    const nearest = view.size * (2 * this.cut - 1), at = [0, 0, 0, 0], thick = 0.75 * scene.spacing;
    const axis = slice?.axis, middle = slice && box.low[axis] + slice.share * (box.high[axis] - box.low[axis]);
    for (let i = 0; i < items; ++i) {
      const qx = positions[xs + i];
      if (qx === 65535 || !shown[part[i]]) continue;
      if (slice && Math.abs(low[axis] + step[axis] * positions[xs + axis * items + i] - middle) > thick) continue;
      view.seen(low[0] + step[0] * qx, low[1] + step[1] * positions[ys + i], low[2] + step[2] * positions[zs + i], at);
      if (at[2] < nearest) continue;
      raster.ball(i, at[0], at[1], at[2], Math.max(0.8, radius * at[3] * view.scale), radius);
    }
  }

  /** Triangles of the surface, lit as balls are. */
  placeTriangles(state) {
    const {view, raster, surface} = this, {quantized, corners, points, low, step} = surface, first = surface.first_point[state];
    const nearest = view.size * (2 * this.cut - 1), seen = [[], [], []], place = [[], [], []];
    for (let k = surface.first_corner[state]; k < surface.first_corner[state + 1]; k += 3) {
      for (const c of [0, 1, 2]) {
        for (const axis of [0, 1, 2]) place[c][axis] = low[axis] + step[axis] * quantized[axis * points + first + corners[k + c]];
        view.seen(...place[c], seen[c]);
      }
      if (seen.some((corner) => corner[2] < nearest)) continue;
      raster.triangle(seen, this.lightOf(place));
    }
  }

  /** Light of a triangle from its normal, which points outward. */
  lightOf([a, b, c]) {
    const {right, up, away} = this.view, [u, v] = [b, c].map((corner) => corner.map((x, axis) => x - a[axis]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const size = Math.hypot(...normal) || 1, along = (direction) => normal.reduce((sum, x, axis) => sum + x * direction[axis], 0) / size;
    return 150 + 105 * Math.max(0, -0.38 * along(right) + 0.5 * along(up) - 0.78 * along(away));
  }

  fillCells() {
    const {scene, view, raster} = this, {points, corners, starts, owners} = scene;
    raster.clear();
    const xs = new Float32Array(corners.length), ys = new Float32Array(corners.length);
    for (let k = 0; k < corners.length; ++k) {
      xs[k] = view.x(points[2 * corners[k]]);
      ys[k] = view.y(points[2 * corners[k] + 1]);
    }
    for (let i = 0; i + 1 < starts.length; ++i) raster.polygon(owners ? owners[i] : i, xs, ys, starts[i], starts[i + 1]);
  }

  /** Velocity of an item on the screen: to the right and downward, m/s. */
  velocityOf(item) {
    const {scene, view, velocity, state} = this, {items, dimensions, arrows} = scene;
    const v = arrows.low.map((low, axis) => low + arrows.step[axis] * velocity[(state * dimensions + axis) * items + item]);
    if (this.flat) return [v[0], -v[1]];
    const along = (direction) => v.reduce((sum, component, axis) => sum + component * direction[axis], 0);
    return [along(view.right), -along(view.up)];
  }

  /** Arrows at the items under a lattice of pixels. The longest is as long as one and a half of its meshes. */
  drawArrows() {
    const {context, raster, ratio, left, scene} = this, mesh = Math.round(26 * ratio), scale = (1.5 * mesh) / scene.arrows.speed;
    context.save();
    context.beginPath();
    for (let row = mesh >> 1; row < raster.height; row += mesh)
      for (let column = mesh >> 1; column < raster.width; column += mesh) {
        const item = raster.owner[row * raster.width + column];
        if (item < 0) continue;
        const [dx, dy] = this.velocityOf(item).map((component) => component * scale), long = Math.hypot(dx, dy);
        if (!(long > 2 * ratio)) continue;
        const x = left + column + dx / 2, y = row + dy / 2, head = Math.min(0.35, (5 * ratio) / long);
        context.moveTo(x - dx, y - dy);
        context.lineTo(x, y);
        for (const side of [-0.6, 0.6]) {
          context.moveTo(x - head * (dx + side * dy), y - head * (dy - side * dx));
          context.lineTo(x, y);
        }
      }
    context.lineCap = "round";
    for (const [color, width] of [["--paper", 3.2], ["--ink", 1.3]]) {
      context.strokeStyle = this.style(color);
      context.lineWidth = width * ratio;
      context.stroke();
    }
    context.restore();
  }

  style(name) {
    return getComputedStyle(this.canvas).getPropertyValue(name).trim();
  }

  drawAxes() {
    const {context, view, ratio, left, below, raster, scene} = this;
    const height = raster.height, px = ratio;
    context.save();
    context.fillStyle = this.style("--paper");
    context.fillRect(0, 0, left, this.canvas.height);
    context.fillRect(0, height, this.canvas.width, below);
    context.font = `${12 * px}px ${this.style("--font")}`;
    context.fillStyle = context.strokeStyle = this.style("--quiet");
    context.lineWidth = px;
    context.beginPath();
    const low = view.at(0, height), high = view.at(raster.width, 0);
    const units = [0, 1].map((axis) => unitFor(scene.axes[axis][1], Math.max(Math.abs(low[axis]), Math.abs(high[axis]))));
    context.textAlign = "center";
    context.textBaseline = "top";
    const [fx, fy] = units.map((u) => u.factor);
    const named = `${scene.axes[0][0]}, ${units[0].unit}`, room = this.canvas.width - context.measureText(named).width - 26 * px;
    for (const tick of ticks(low[0] * fx, high[0] * fx, raster.width / (90 * px))) {
      const x = left + view.x(tick / fx);
      context.moveTo(x, height);
      context.lineTo(x, height + 5 * px);
      if (x >= left && x < room) context.fillText(numberText(tick), x, height + 8 * px);
    }
    context.textAlign = "right";
    context.fillText(named, this.canvas.width - 2 * px, height + 8 * px);
    context.textBaseline = "middle";
    for (const tick of ticks(low[1] * fy, high[1] * fy, height / (56 * px))) {
      const y = view.y(tick / fy);
      context.moveTo(left - 5 * px, y);
      context.lineTo(left, y);
      if (y > 28 * px && y < height - 2 * px) context.fillText(numberText(tick), left - 8 * px, y);
    }
    context.textAlign = "left";
    context.fillText(`${scene.axes[1][0]}, ${units[1].unit}`, px, 10 * px);
    context.moveTo(left - px / 2, 0);
    context.lineTo(left - px / 2, height + px / 2);
    context.lineTo(this.canvas.width, height + px / 2);
    context.stroke();
    context.restore();
  }

  drawBox() {
    const {context, view, ratio} = this, corners = view.corners().map((corner) => view.seen(...corner, []));
    context.save();
    context.strokeStyle = this.style("--edge");
    context.lineWidth = ratio;
    context.beginPath();
    for (let k = 0; k < 8; ++k)
      for (const bit of [1, 2, 4])
        if (!(k & bit)) {
          context.moveTo(corners[k][0], corners[k][1]);
          context.lineTo(corners[k | bit][0], corners[k | bit][1]);
        }
    context.stroke();
    context.restore();
  }

  /** Directions of the axes and lengths of the box along them. */
  drawCompass() {
    const {context, view, ratio, scene} = this;
    const at = [44 * ratio, this.canvas.height - 44 * ratio], long = 26 * ratio;
    context.save();
    context.font = `${12 * ratio}px ${this.style("--font")}`;
    context.fillStyle = context.strokeStyle = this.style("--quiet");
    context.lineWidth = 1.5 * ratio;
    context.textAlign = "center";
    context.textBaseline = "middle";
    ["x", "y", "z"].forEach((name, axis) => {
      const dx = view.right[axis] * long, dy = -view.up[axis] * long;
      context.beginPath();
      context.moveTo(...at);
      context.lineTo(at[0] + dx, at[1] + dy);
      context.stroke();
      if (Math.hypot(dx, dy) > 0.3 * long) context.fillText(name, at[0] + 1.4 * dx, at[1] + 1.4 * dy);
    });
    const sides = scene.box.low.map((low, axis) => numberText(scene.box.high[axis] - low, 3));
    context.textAlign = "right";
    context.fillText(`box ${sides.join(" × ")} m`, this.canvas.width - 10 * ratio, this.canvas.height - 14 * ratio);
    context.restore();
  }

  /** {item, place} at a point of the page, or null. */
  under(clientX, clientY) {
    if (!this.rasterized) return null;
    const box = this.canvas.getBoundingClientRect();
    const x = Math.floor((clientX - box.left) * this.ratio) - this.left, y = Math.floor((clientY - box.top) * this.ratio);
    if (x < 0 || y < 0 || x >= this.raster.width || y >= this.raster.height) return null;
    const item = this.raster.owner[y * this.raster.width + x];
    if (item < 0) return null;
    return {item, place: this.scene.kind === "cells" ? this.view.at(x, y) : this.placeOf(item)};
  }

  placeOf(item) {
    const {positions, items, low, step, dimensions} = this.scene;
    return low.map((first, axis) => first + step[axis] * positions[(this.state * dimensions + axis) * items + item]);
  }
}
