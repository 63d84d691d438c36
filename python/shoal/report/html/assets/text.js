// SPDX-License-Identifier: Apache-2.0
// Readable numbers.

const prefixes = {"-9": "n", "-6": "µ", "-3": "m", 0: "", 3: "k", 6: "M", 9: "G"};
const prefixed = new Set(["s", "m", "Pa", "J", "N", "J/kg"]);

/** {factor, unit}: values of about `size` times the factor are between 1 and 1000 in the returned unit. */
function unitFor(unit, size) {
  if (!prefixed.has(unit) || !size || !isFinite(size)) return {factor: 1, unit};
  let exponent = 3 * Math.floor(Math.log10(Math.abs(size)) / 3 + 1e-9);
  if ((unit === "s" || unit === "m") && (exponent > 0 || Math.abs(size) >= 0.1)) exponent = 0;
  exponent = Math.max(-9, Math.min(9, exponent));
  return {factor: 10 ** -exponent, unit: prefixes[exponent] + unit};
}

const superscripts = {"-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹"};
const powerOfTen = (exponent) => "10" + [...String(exponent)].map((digit) => superscripts[digit]).join("");

/** A number in few characters, with a true minus sign. */
function numberText(value, digits = 4) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text;
  if (size < 1e-3 || size >= 1e6) {
    const exponent = Math.floor(Math.log10(size) + 1e-12), mantissa = Number((value / 10 ** exponent).toPrecision(digits - 1));
    text = Math.abs(mantissa) === 1 ? (mantissa < 0 ? "-" : "") + powerOfTen(exponent) : `${mantissa}·${powerOfTen(exponent)}`;
  } else {
    text = String(Number(value.toPrecision(digits)));
  }
  return text.replace("-", "−");
}

/** Round numbers from low to high, about `count` of them. */
function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((s) => s * power >= rough * 0.999) || 10);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-6); k * step <= high + 1e-6 * step; ++k) found.push(Number((k * step).toPrecision(12)));
  return found;
}

/** Powers of ten from low to high, at most about `count` of them. */
function powers(low, high, count) {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first) / Math.max(1, count)));
  const found = [];
  for (let k = first; k <= last; k += step) found.push(10 ** k);
  return found;
}
