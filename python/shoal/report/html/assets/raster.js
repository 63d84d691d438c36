// SPDX-License-Identifier: Apache-2.0
// Item of each pixel. Items are drawn once per state and colored afterwards, so that another quantity or color scale costs
// one pass over the pixels, and the item under the pointer is known. Drawn on the CPU, because many remote desktops have no
// WebGL.

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
    this.owner.fill(-1);
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

  /** Colors all pixels: colors[values[first + item]], as 32 bits ABGR; 0 for empty pixels. */
  paint(colors, values, first, lit) {
    const {owner, pixels, light} = this;
    for (let pixel = 0; pixel < pixels.length; ++pixel) {
      const item = owner[pixel];
      if (item < 0) {
        pixels[pixel] = 0;
        continue;
      }
      const color = colors[values[first + item]];
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
