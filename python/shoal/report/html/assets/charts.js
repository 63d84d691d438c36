// SPDX-License-Identifier: Apache-2.0
// Curves over time as SVG, with a mark at the current state and the values under the pointer.

const svgName = "http://www.w3.org/2000/svg";
const seriesColors = ["--s1", "--s2", "--s3", "--s4", "--s5", "--s6", "--s7", "--s8"];

function svg(parent, name, attributes = {}, text = "") {
  const child = document.createElementNS(svgName, name);
  for (const [key, value] of Object.entries(attributes)) child.setAttribute(key, value);
  if (text) child.textContent = text;
  parent.append(child);
  return child;
}

function extent(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

class ChartView {
  constructor(element, chart) {
    this.element = element;
    this.chart = chart;
    this.drawing = svg(element.querySelector(".plot"), "svg", {role: "img", "aria-label": this.description()});
    this.tip = element.querySelector(".tip");
    this.time = null;
    this.key();
    new ResizeObserver(() => this.draw()).observe(element);
    this.drawing.addEventListener("pointermove", (event) => this.point(event));
    this.drawing.addEventListener("pointerleave", () => this.unpoint());
  }

  description() {
    const names = this.chart.series.map((series) => series.label).join(", ");
    return `Chart of ${this.chart.y_label} over ${this.chart.x_label}: ${names}`;
  }

  /** Lines and marks take colors in order; each kind of mark has its own shape. */
  looks() {
    let next = 0, mark = 0, last = 0;
    return this.chart.series.map(({style}) => {
      if (style === "line") last = next++;
      if (style === "line") return {style, color: seriesColors[last % 8]};
      if (style === "marks") return {style, color: seriesColors[(1 + mark) % 8], shape: mark++ % 4};
      return {style, color: style === "faint" ? "--faint" : seriesColors[last % 8]};
    });
  }

  key() {
    if (this.chart.series.length < 2) return;
    const key = this.element.querySelector(".key");
    this.looks().forEach((look, i) => {
      const entry = document.createElement("span");
      const sample = svg(entry, "svg", {width: 26, height: 12, viewBox: "0 0 26 12", "aria-hidden": "true"});
      if (look.style === "marks") this.mark(sample, look, 13, 6);
      else svg(sample, "path", {d: "M1 6H25", class: `curve ${look.style}`, style: `stroke:var(${look.color})`});
      entry.append(this.chart.series[i].label);
      key.append(entry);
    });
  }

  mark(parent, {color, shape}, x, y) {
    const r = 3.4;
    const paths = [
      `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
      `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`,
      `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
      `M${x} ${y - r - 0.6}L${x + r + 0.4} ${y + r}h${-2 * r - 0.8}z`,
    ];
    svg(parent, "path", {d: paths[shape], class: "mark", style: `stroke:var(${color})`});
  }

  /** Limits of the axes: the given ones, or those of the curves with a margin. */
  limits() {
    const {chart} = this;
    const x = chart.x_limits.length ? chart.x_limits : extent(chart.series.flatMap((s) => s.x));
    if (chart.y_limits.length) return {x, y: chart.y_limits};
    let [low, high] = extent(chart.series.flatMap((s) => s.y));
    if (low > 0 && low < 0.5 * high) low = 0;
    const air = 0.05 * (high - low) || Math.abs(high) * 0.05 || 1;
    return {x, y: [low === 0 ? 0 : low - air, high + air]};
  }

  draw() {
    const width = Math.round(this.element.querySelector(".plot").clientWidth), height = Math.round(Math.max(200, Math.min(300, 0.52 * width)));
    if (!width || width === this.width) return;
    this.width = width;
    const {chart, drawing} = this;
    drawing.replaceChildren();
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawing.setAttribute("height", height);
    const limits = this.limits();
    const labels = ticks(...limits.y, height / 48);
    const left = 20 + 7 * Math.max(...labels.map((value) => numberText(value).length));
    this.area = {left, right: width - 10, top: 10, bottom: height - 40};
    const {right, top, bottom} = this.area;
    this.sx = (x) => left + ((x - limits.x[0]) / (limits.x[1] - limits.x[0] || 1)) * (right - left);
    this.sy = (y) => bottom - ((y - limits.y[0]) / (limits.y[1] - limits.y[0] || 1)) * (bottom - top);
    this.xLimits = limits.x;
    for (const value of labels) {
      svg(drawing, "path", {d: `M${left} ${this.sy(value)}H${right}`, class: value === 0 ? "grid zero" : "grid"});
      svg(drawing, "text", {x: left - 8, y: this.sy(value) + 4, class: "tick end"}, numberText(value));
    }
    for (const value of ticks(...limits.x, width / 90)) {
      svg(drawing, "path", {d: `M${this.sx(value)} ${bottom}v5`, class: "axis"});
      svg(drawing, "text", {x: this.sx(value), y: bottom + 18, class: "tick middle"}, numberText(value));
    }
    svg(drawing, "path", {d: `M${left} ${bottom}H${right}`, class: "axis"});
    svg(drawing, "text", {x: (left + right) / 2, y: height - 4, class: "axis-label middle"}, chart.x_label);
    const clip = `clip-${this.element.dataset.chart}`;
    svg(svg(drawing, "clipPath", {id: clip}), "rect", {x: left, y: top - 4, width: right - left + 4, height: bottom - top + 5});
    const curves = svg(drawing, "g", {"clip-path": `url(#${clip})`});
    const looks = this.looks(), order = ["faint", "line", "reference", "marks"];
    const indices = chart.series.map((_, i) => i).sort((a, b) => order.indexOf(looks[a].style) - order.indexOf(looks[b].style));
    for (const i of indices) this.drawSeries(curves, chart.series[i], looks[i]);
    this.now = svg(drawing, "path", {class: "now"});
    this.pointer = svg(drawing, "path", {class: "pointer"});
    this.markTime(this.time);
  }

  drawSeries(parent, series, look) {
    if (look.style === "marks") {
      series.x.forEach((x, i) => series.y[i] !== null && this.mark(parent, look, this.sx(x), this.sy(series.y[i])));
      return;
    }
    let d = "", pen = false;
    series.x.forEach((x, i) => {
      const y = series.y[i];
      if (y !== null) d += `${pen ? "L" : "M"}${this.sx(x).toFixed(1)} ${this.sy(y).toFixed(1)}`;
      pen = y !== null;
    });
    svg(parent, "path", {d, class: `curve ${look.style}`, style: `stroke:var(${look.color})`});
  }

  /** Marks a time of the run, in s. */
  markTime(time) {
    this.time = time;
    if (!this.now || time === null || !this.chart.per_second) return;
    const x = time * this.chart.per_second, inside = x >= this.xLimits[0] && x <= this.xLimits[1];
    this.now.setAttribute("d", inside ? `M${this.sx(x).toFixed(1)} ${this.area.top}V${this.area.bottom}` : "");
  }

  point(event) {
    const box = this.drawing.getBoundingClientRect(), at = event.clientX - box.left;
    const {left, right, top, bottom} = this.area;
    if (at < left || at > right) return this.unpoint();
    const x = this.xLimits[0] + ((at - left) / (right - left)) * (this.xLimits[1] - this.xLimits[0]);
    this.pointer.setAttribute("d", `M${at} ${top}V${bottom}`);
    const lines = this.chart.series.map((series) => {
      let best = -1;
      series.x.forEach((value, i) => {
        if (series.y[i] !== null && (best < 0 || Math.abs(value - x) < Math.abs(series.x[best] - x))) best = i;
      });
      const away = best < 0 ? Infinity : Math.abs(series.x[best] - x) / (this.xLimits[1] - this.xLimits[0]);
      return away > (series.style === "marks" ? 0.03 : 1) ? "" : `${series.label}: ${numberText(series.y[best])}`;
    });
    this.tip.textContent = [`${this.chart.x_label.split(",")[0]} ${numberText(x, 3)}`, ...lines.filter(Boolean)].join("\n");
    this.tip.hidden = false;
    const across = this.element.querySelector(".plot").clientWidth;
    this.tip.style.left = at < across / 2 ? `${at + 12}px` : "auto";
    this.tip.style.right = at < across / 2 ? "auto" : `${across - at + 12}px`;
  }

  unpoint() {
    this.tip.hidden = true;
    this.pointer?.setAttribute("d", "");
  }
}
