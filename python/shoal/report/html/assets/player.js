// SPDX-License-Identifier: Apache-2.0
// Animation of the states of a scene, controlled by pointer, touch and keyboard.

class Player {
  constructor(root, scene, charts) {
    this.root = root;
    this.scene = scene;
    this.charts = charts;
    this.state = 0;
    this.playing = false;
    const find = (name) => root.querySelector(`[data-role="${name}"]`);
    for (const name of ["canvas", "quantity", "play", "scrub", "clock", "speed", "bar", "tip", "low", "high", "unit", "cut", "slice", "place", "arrows", "surface"])
      this[name] = find(name);
    this.picture = new Picture(this.canvas, scene);
    this.values = new Map();
    this.listen(find);
    new ResizeObserver(() => this.resized()).observe(this.canvas);
    this.themed();
  }

  async start() {
    await this.choose(this.scene.quantities[0].name);
    this.root.dataset.ready = "yes";
  }

  listen(find) {
    this.play.addEventListener("click", () => this.toggle());
    this.scrub.addEventListener("input", () => this.go(Number(this.scrub.value)));
    this.quantity?.addEventListener("change", () => this.choose(this.quantity.value));
    for (const box of this.root.querySelectorAll('[data-role="part"]'))
      box.addEventListener("change", () => {
        this.picture.shown[Number(box.dataset.part)] = box.checked;
        this.draw();
      });
    this.slice?.addEventListener("change", () => this.sliced());
    this.place?.addEventListener("input", () => this.sliced());
    this.arrows?.addEventListener("change", () => this.pointArrows());
    this.surface?.addEventListener("change", () => this.coverFluid());
    this.cut?.addEventListener("input", () => {
      this.picture.cut = Number(this.cut.value) / 100;
      this.draw();
    });
    for (const end of ["low", "high"]) this[end].addEventListener("change", () => this.limit(end));
    find("reset").addEventListener("click", () => this.resetLimits());
    for (const [name, act] of Object.entries(this.viewActions())) find(name).addEventListener("click", act);
    this.canvas.addEventListener("dblclick", () => this.fit());
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("pointermove", (event) => this.show(event));
    this.canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    document.addEventListener("keydown", (event) => this.key(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.themed());
  }

  viewActions() {
    return {nearer: () => this.zoom(1.5), farther: () => this.zoom(1 / 1.5), fit: () => this.fit()};
  }

  /** Reads the colors of the page, which follow light and dark mode. */
  themed() {
    this.wallColor = rgbOf(this.picture.style("--wall").slice(1));
    const [red, green, blue] = rgbOf(this.picture.style("--water").slice(1));
    this.picture.surfaceColor = (blue << 16) | (green << 8) | red;
    if (this.chosen) this.recolor();
  }

  resized() {
    this.picture.resize();
    if (this.chosen) drawColorBar(this.bar, this.chosen);
    this.draw();
  }

  async choose(name) {
    const quantity = this.scene.quantities.find((each) => each.name === name);
    if (!this.values.has(name)) this.values.set(name, await unpacked(`block-values-${name}`, quantity.packed, this.scene.times.length, this.scene.items));
    quantity.shownLimits ??= [...quantity.limits];
    this.chosen = quantity;
    if (this.quantity) this.quantity.value = name;
    this.root.dataset.quantity = name;
    this.recolor();
  }

  sliced() {
    const axis = this.slice.value;
    this.place.disabled = axis === "";
    this.picture.slice = axis === "" ? null : {axis: Number(axis), share: Number(this.place.value) / 100};
    this.draw();
  }

  async pointArrows() {
    const {scene} = this;
    if (this.arrows.checked) scene.velocity ??= await unpacked("block-arrows", scene.arrows, scene.times.length, scene.items);
    this.picture.velocity = this.arrows.checked ? scene.velocity : null;
    this.draw();
  }

  async coverFluid() {
    const {surface} = this.scene;
    if (this.surface.checked && !surface.corners) {
      surface.quantized = await unpacked("block-surface-points", surface, 1, Math.max(1, surface.points));
      surface.corners = await unpackedArray("block-surface-corners", Int32Array);
      for (let k = 1; k < surface.corners.length; ++k) surface.corners[k] += surface.corners[k - 1];
    }
    this.picture.surface = this.surface.checked ? surface : null;
    this.draw();
  }

  recolor() {
    this.colors = colorTable(this.chosen, this.wallColor);
    drawColorBar(this.bar, this.chosen);
    const areCategories = this.chosen.scale === "categories";
    this.root.querySelector('[data-role="limits"]').hidden = areCategories;
    this.unit.textContent = this.chosen.unit;
    [this.low.value, this.high.value] = this.chosen.shownLimits.map((limit) => Number(limit.toPrecision(6)));
    this.draw();
  }

  limit(end) {
    const limits = [Number(this.low.value), Number(this.high.value)];
    const fits = limits.every(Number.isFinite) && limits[0] < limits[1] && (this.chosen.scale !== "log" || limits[0] > 0);
    this[end].setCustomValidity(fits ? "" : "The lower limit must be below the upper one, and above 0 on a logarithmic scale.");
    if (!this[end].reportValidity()) return;
    this.chosen.shownLimits = limits;
    this.recolor();
  }

  resetLimits() {
    this.chosen.shownLimits = [...this.chosen.limits];
    this.low.setCustomValidity("");
    this.high.setCustomValidity("");
    this.recolor();
  }

  go(state) {
    const last = this.scene.times.length - 1;
    this.state = Math.max(0, Math.min(last, state));
    this.draw();
  }

  draw() {
    if (!this.chosen) return;
    const {scene, state} = this, time = this.timeText(scene.times[state]);
    this.picture.draw(state, this.colors, this.values.get(this.chosen.name));
    this.scrub.value = state;
    this.scrub.setAttribute("aria-valuetext", `${time}, state ${state + 1} of ${scene.times.length}`);
    this.clock.textContent = time;
    this.root.dataset.state = state;
    this.canvas.setAttribute("aria-label", `${scene.what} colored by ${this.chosen.label.toLowerCase()} at ${time}`);
    for (const chart of this.charts) chart.markTime(scene.times[state]);
  }

  /** Text of a time with the same number of decimals in every state. */
  timeText(time) {
    const {times} = this.scene, {factor, unit} = unitFor("s", times[times.length - 1]);
    const step = times.length > 1 ? (factor * (times[times.length - 1] - times[0])) / (times.length - 1) : 1;
    const tells = (digits) => Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 0.02 * step * 10 ** digits;
    const decimals = [0, 1, 2, 3, 4, 5].find(tells) ?? 6;
    return `t = ${(time * factor).toFixed(decimals)} ${unit}`;
  }

  toggle() {
    this.playing = !this.playing;
    this.play.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.root.dataset.playing = this.playing ? "yes" : "no";
    if (!this.playing) {
      this.picture.setCoarse(false);
      this.draw();
      return;
    }
    if (this.state === this.scene.times.length - 1) this.go(0);
    this.due = this.slow = 0;
    requestAnimationFrame((now) => this.tick(now, now));
  }

  /** Shows the state that is due; a picture that takes too long is drawn with fewer pixels. */
  tick(now, before) {
    if (!this.playing) return;
    const rate = Number(this.speed.value);
    this.due += Math.min(0.25, (now - before) / 1000) * rate;
    const steps = Math.floor(this.due);
    if (steps > 0) {
      this.due -= steps;
      const count = this.scene.times.length, next = this.state + steps;
      const began = performance.now();
      this.go(next < count ? next : 0);
      const took = (performance.now() - began) / 1000;
      this.slow = took > 0.8 / rate ? this.slow + 1 : 0;
      if (this.slow > 3) this.picture.setCoarse(true);
    }
    requestAnimationFrame((later) => this.tick(later, now));
  }

  zoom(factor, x, y) {
    this.picture.view.zoomBy(factor, x, y);
    this.moved();
  }

  fit() {
    this.picture.view.fit();
    this.moved();
  }

  moved() {
    this.picture.rasterized = null;
    this.draw();
  }

  /** The wheel scrolls the page, with Ctrl it zooms. */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = this.canvas.getBoundingClientRect(), {ratio, left} = this.picture;
    this.zoom(Math.exp(-0.0022 * event.deltaY), (event.clientX - box.left) * ratio - left, (event.clientY - box.top) * ratio);
  }

  grab(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    let {clientX, clientY} = event;
    const move = (to) => {
      const {ratio, flat} = this.picture, unit = flat ? ratio : 1;
      this.picture.view.drag((to.clientX - clientX) * unit, (to.clientY - clientY) * unit);
      [clientX, clientY] = [to.clientX, to.clientY];
      this.tip.hidden = true;
      this.moved();
    };
    const release = () => {
      this.canvas.removeEventListener("pointermove", move);
      delete this.root.dataset.grabbed;
    };
    this.root.dataset.grabbed = "yes";
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", release, {once: true});
    this.canvas.addEventListener("pointercancel", release, {once: true});
  }

  /** Values of the item under the pointer. */
  show(event) {
    if (this.root.dataset.grabbed || !this.chosen) return;
    const found = this.picture.under(event.clientX, event.clientY);
    this.tip.hidden = !found;
    if (!found) return;
    const {scene, chosen} = this, lines = scene.axes.map(([name, unit], axis) => {
      const {factor, unit: shown} = unitFor(unit, Math.abs(found.place[axis]));
      return `${name} ${numberText(found.place[axis] * factor)} ${shown}`;
    });
    const q = this.values.get(chosen.name)[this.state * scene.items + found.item];
    if (q === 2 ** chosen.packed.bits - 1) lines.push(scene.parts?.[scene.part[found.item]].name ?? "wall");
    else if (chosen.scale === "categories") lines.push(`${chosen.label}: ${chosen.categories[q]}`);
    else lines.push(`${chosen.label} ${this.valueText(q)}`);
    if (scene.ids) lines.push(`particle ${scene.ids[found.item]}`);
    this.tip.textContent = lines.join("\n");
    const box = this.canvas.parentElement.getBoundingClientRect(), x = event.clientX - box.left, right = x > box.width / 2;
    this.tip.style.left = right ? "auto" : `${x + 14}px`;
    this.tip.style.right = right ? `${box.width - x + 14}px` : "auto";
    this.tip.style.top = `${Math.max(0, event.clientY - box.top - 20)}px`;
  }

  valueText(q) {
    const {chosen} = this, value = valueOf(chosen, q), {factor, unit} = unitFor(chosen.unit, value);
    const atLimit = chosen.packed.bits === 8 && (q === 0 ? "≤ " : q === 254 ? "≥ " : "");
    return `${atLimit || ""}${numberText(value * factor)} ${unit}`.trim();
  }

  key(event) {
    const target = event.target, name = target.tagName;
    if (event.ctrlKey || event.metaKey || event.altKey || name === "SELECT" || name === "TEXTAREA") return;
    if (name === "INPUT" && target.type !== "range") return;
    const onButton = name === "BUTTON" || name === "SUMMARY" || name === "A", onRange = name === "INPUT";
    const last = this.scene.times.length - 1, far = event.shiftKey ? 10 : 1;
    const acts = {
      "+": () => this.zoom(1.5), "=": () => this.zoom(1.5), "-": () => this.zoom(1 / 1.5), 0: () => this.fit(),
    };
    if (last > 0 && !onButton) acts[" "] = () => this.toggle();
    if (last > 0 && !(onRange && target !== this.scrub))
      Object.assign(acts, {ArrowLeft: () => this.go(this.state - far), ArrowRight: () => this.go(this.state + far),
                           Home: () => this.go(0), End: () => this.go(last)});
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }
}
