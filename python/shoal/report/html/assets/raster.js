// SPDX-License-Identifier: Apache-2.0
// Item of each pixel. Items are drawn once per state and colored afterwards, so that another quantity or color scale costs
// one pass over the pixels, and the item under the pointer is known. Drawn on the CPU, because many remote desktops have no
// WebGL.

const empty = -1, ofSurface = -2;  // owners that are no items

class Raster {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.owner = new Int32Array(width * height);
    this.near = new Float32Array(width * height);
    this.light = new Uint8Array(width * height);
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  clear() {
    this.owner.fill(empty);
    this.near.fill(Infinity);
  }

  /** A disk: each pixel shows the nearest center, so that neighbors meet halfway without gaps. */
  disc(item, x, y, radius) {
    const {width, owner, near} = this;
    const x0 = Math.max(0, Math.ceil(x - radius - 0.5)), x1 = Math.min(width - 1, Math.floor(x + radius - 0.5));
    const y0 = Math.max(0, Math.ceil(y - radius - 0.5)), y1 = Math.min(this.height - 1, Math.floor(y + radius - 0.5));
    const most = radius * radius;
    for (let row = y0; row <= y1; ++row) {
      const dy = row + 0.5 - y, base = row * width;
      for (let column = x0; column <= x1; ++column) {
        const dx = column + 0.5 - x, distance = dx * dx + dy * dy;
        const pixel = base + column;
        if (distance <= most && distance < near[pixel]) {
          near[pixel] = distance;
          owner[pixel] = item;
        }
      }
    }
  }

  /** A sphere, lit from the upper left: each pixel shows the sphere nearest to the eye. */
  ball(item, x, y, depth, radius, size) {
    const {width, owner, near, light} = this;
    const x0 = Math.max(0, Math.ceil(x - radius - 0.5)), x1 = Math.min(width - 1, Math.floor(x + radius - 0.5));
    const y0 = Math.max(0, Math.ceil(y - radius - 0.5)), y1 = Math.min(this.height - 1, Math.floor(y + radius - 0.5));
    const over = 1 / radius;
    for (let row = y0; row <= y1; ++row) {
      const dy = (row + 0.5 - y) * over, base = row * width;
      for (let column = x0; column <= x1; ++column) {
        const dx = (column + 0.5 - x) * over, outside = dx * dx + dy * dy;
        if (outside > 1) continue;
        const toward = Math.sqrt(1 - outside), seen = depth - size * toward, pixel = base + column;
        if (seen < near[pixel]) {
          near[pixel] = seen;
          owner[pixel] = item;
          light[pixel] = 150 + 105 * Math.max(0, -0.38 * dx - 0.5 * dy + 0.78 * toward);
        }
      }
    }
  }

  /** A triangle of the surface with corners [x, y, depth]: each pixel shows what is nearest to the eye. */
  triangle([[ax, ay, az], [bx, by, bz], [cx, cy, cz]], brightness) {
    const {width, owner, near, light} = this, area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (!area) return;
    const x0 = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5)), x1 = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const y0 = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5)), y1 = Math.min(this.height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    for (let row = y0; row <= y1; ++row)
      for (let column = x0; column <= x1; ++column) {
        const x = column + 0.5, y = row + 0.5;
        const b = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area, c = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area;
        if (b < 0 || c < 0 || b + c > 1) continue;
        const depth = az + b * (bz - az) + c * (cz - az), pixel = row * width + column;
        if (depth >= near[pixel]) continue;
        near[pixel] = depth;
        owner[pixel] = ofSurface;
        light[pixel] = brightness;
      }
  }

  /** A convex polygon with corners xs[from .. to), ys[from .. to) in pixels; later ones are on top. */
  polygon(item, xs, ys, from, to) {
    let least = Infinity, most = -Infinity;
    for (let i = from; i < to; ++i) {
      least = Math.min(least, ys[i]);
      most = Math.max(most, ys[i]);
    }
    const y0 = Math.max(0, Math.ceil(least - 0.5)), y1 = Math.min(this.height - 1, Math.floor(most - 0.5));
    for (let row = y0; row <= y1; ++row) {
      const y = row + 0.5;
      let left = Infinity, right = -Infinity;
      for (let i = from, j = to - 1; i < to; j = i++) {
        if (ys[i] <= y === ys[j] <= y) continue;
        const x = xs[i] + ((y - ys[i]) / (ys[j] - ys[i])) * (xs[j] - xs[i]);
        left = Math.min(left, x);
        right = Math.max(right, x);
      }
      const x0 = Math.max(0, Math.ceil(left - 0.5)), x1 = Math.min(this.width - 1, Math.floor(right - 0.5));
      for (let column = x0; column <= x1; ++column) this.owner[row * this.width + column] = item;
    }
  }

  /** Colors all pixels: colors[values[first + item]] or that of the surface, as 32 bits ABGR; 0 for empty pixels. */
  paint(colors, values, first, lit, surfaceColor) {
    const {owner, pixels, light} = this;
    for (let pixel = 0; pixel < pixels.length; ++pixel) {
      const item = owner[pixel];
      if (item === empty) {
        pixels[pixel] = 0;
        continue;
      }
      const color = item === ofSurface ? surfaceColor : colors[values[first + item]];
      if (!lit) {
        pixels[pixel] = color;
        continue;
      }
      const share = light[pixel];
      const red = ((color & 255) * share) >> 8, green = (((color >> 8) & 255) * share) >> 8;
      const blue = (((color >> 16) & 255) * share) >> 8;
      pixels[pixel] = 0xff000000 | (blue << 16) | (green << 8) | red;
    }
    return this.image;
  }
}
