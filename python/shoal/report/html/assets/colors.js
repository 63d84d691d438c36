// SPDX-License-Identifier: Apache-2.0
// Colors of quantized values, and the color bar.

const rgbOf = (hex) => [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16));

/** The 256 colors of a scale, [r, g, b] each. */
function colorMap(quantity) {
  if (quantity.scale === "categories") return report.category_colors.map((hex) => rgbOf(hex.slice(1)));
  const text = report.maps[quantity.scale === "diverging" ? "diverging" : "sequential"];
  return Array.from({length: 256}, (_, i) => rgbOf(text.slice(6 * i, 6 * i + 6)));
}

/** Value of a quantized number. */
function valueOf(quantity, q) {
  const value = quantity.packed.low[0] + quantity.packed.step[0] * q;
  return quantity.scale === "log" ? 10 ** value : value;
}

/** Position of a value between the limits, 0 to 1; beyond for values outside. */
function shareOf(quantity, value) {
  const [low, high] = quantity.shownLimits;
  if (quantity.scale !== "log") return (value - low) / (high - low);
  return value > 0 ? Math.log(value / low) / Math.log(high / low) : -1;
}

/** The color of each quantized value as 32 bits ABGR; the last one, for missing values, is that of walls. */
function colorTable(quantity, wallColor) {
  const map = colorMap(quantity);
  const count = 2 ** quantity.packed.bits, table = new Uint32Array(count);
  const abgr = ([r, g, b]) => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
  for (let q = 0; q < count - 1; ++q) {
    const index = quantity.scale === "categories"
      ? q % map.length
      : Math.round(255 * shareOf(quantity, valueOf(quantity, q)));
    table[q] = abgr(map[Math.max(0, Math.min(map.length - 1, index))]);
  }
  table[count - 1] = abgr(wallColor);
  return table;
}

/** The bar: the colors from low to high with ticks, or a legend of names. */
function drawColorBar(element, quantity) {
  element.replaceChildren();
  const add = (parent, name, className, text = "") => {
    const child = document.createElement(name);
    child.className = className;
    child.textContent = text;
    parent.append(child);
    return child;
  };
  if (quantity.scale === "categories") {
    const colors = colorMap(quantity);
    quantity.categories.forEach((label, i) => {
      const entry = add(element, "span", "category", label);
      const patch = document.createElement("i");
      patch.style.background = `rgb(${colors[i % colors.length]})`;
      entry.prepend(patch);
    });
    return;
  }
  const [low, high] = quantity.shownLimits, size = Math.max(Math.abs(low), Math.abs(high));
  const {factor, unit} = quantity.scale === "log" ? {factor: 1, unit: quantity.unit} : unitFor(quantity.unit, size);
  add(element, "span", "bar-label", unit ? `${quantity.label}, ${unit}` : quantity.label);
  const bar = add(element, "div", "bar");
  bar.style.background = `linear-gradient(to right, ${colorMap(quantity).filter((_, i) => i % 5 === 0).map((c) => `rgb(${c})`)})`;
  const marks = add(element, "div", "bar-ticks");
  const room = (element.clientWidth || 300) / 64;
  const found = quantity.scale === "log" ? powers(low, high, room) : ticks(low * factor, high * factor, room).map((v) => v / factor);
  for (const value of found) {
    const shown = quantity.scale === "log" ? powerText(value) : numberText(value * factor);
    const mark = add(marks, "span", "", shown);
    mark.style.left = `${100 * shareOf(quantity, value)}%`;
  }
}

const powerText = (value) => (value >= 1e-2 && value <= 1e3 ? numberText(value) : powerOfTen(Math.round(Math.log10(value))));
