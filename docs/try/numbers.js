"use strict";
// Numbers as Python's format() writes them: exact digits, ties to even.

/** The decimal digits of |value| rounded to `count` of them, and the exponent of the first. */
function roundedDigits(value, count) {
  const [mantissa, power] = Math.abs(value).toExponential(100).split("e");
  const exact = mantissa.replace(".", "");
  const exponent = Number(power);
  if (count < 0) return ["0", exponent];
  const rest = exact.slice(count);
  let digits = exact.slice(0, count);
  const half = rest[0] === "5" && /^50*$/.test(rest);
  const even = "02468".includes(digits.at(-1) ?? "0");
  if (half ? even : rest[0] < "5") return [digits, exponent];
  digits = String(BigInt(digits || "0") + 1n).padStart(count, "0");
  return digits.length > count ? [digits, exponent + 1] : [digits, exponent];
}

/** Python's f"{value:.{places}f}". */
function fixed(value, places) {
  if (!Number.isFinite(value)) return special(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (value === 0) return sign + (0).toFixed(places);
  const first = Number(Math.abs(value).toExponential(100).split("e")[1]);
  const [digits] = roundedDigits(value, first + 1 + places);
  const text = digits.padStart(places + 1, "0");
  return sign + (places ? `${text.slice(0, -places)}.${text.slice(-places)}` : text);
}

/** Python's f"{value:.{count}g}". */
function general(value, count = 6) {
  if (!Number.isFinite(value)) return special(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (value === 0) return `${sign}0`;
  let [digits, exponent] = roundedDigits(value, count);
  digits = digits.slice(0, count).replace(/0+$/, "") || "0";
  if (exponent < -4 || exponent >= count) {
    const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
    const power = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${power}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const part = digits.slice(exponent + 1);
  return sign + (part ? `${whole}.${part}` : whole);
}

function special(value) {
  return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

const MOST_DECIMALS = 6;
const NO_DECIMALS = 1e15;

/**
 * The number of decimals of a result's estimate, limits and apparent score, from 1 to 6: as many as
 * its Monte Carlo errors and a two-hundredth of its interval's width carry. Null where neither is
 * known, and for losses so small that six decimals say too little.
 */
function decimals({ estimate, low, high }, interval) {
  const steps = [estimate, low, high].filter((error) => error !== null).map((error) => 2 * error);
  if (interval) steps.push((interval.high - interval.low) / 200);
  const known = steps.filter(Number.isFinite);
  const step = Math.max(...known);
  if (step === 0) return MOST_DECIMALS;
  if (!known.length || step < 10 ** -MOST_DECIMALS) return null;
  return Math.max(Math.ceil(-Math.log10(step)), 1);
}

const decimalsOf = (e) => decimals(e.monte_carlo_error, e.confidence_interval);

/** A number with so many decimals; six significant digits where there are none to be had. */
function shown(value, places) {
  if (places === null || !(Math.abs(value) < NO_DECIMALS)) return general(value);
  return fixed(value, places).replace(/^-(0\.0+)$/, "$1");
}

function counted(count, word) {
  return count === 1 ? `${count} ${word}` : `${count} ${word}s`;
}
