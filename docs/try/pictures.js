"use strict";
// The histogram of the replicates, and how often each configuration won.

const MOST_SHOWN = 10;
const WORDS_WIDE = 130; // pixels

/** An element with attributes and children; text is never read as HTML. */
function element(tag, attributes = {}, ...children) {
  const inSvg = ["svg", "g", "rect", "line", "text", "title"].includes(tag);
  const made = inSvg
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return filled(made, children);
}

/** An element with these children and no others; a call takes no hundred thousand of them. */
function filled(made, children) {
  made.replaceChildren();
  for (const child of children) made.append(child);
  return made;
}

/** Round numbers between two, about `count` of them. */
function ticks(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough);
  const first = Math.ceil(low / step);
  const found = [];
  // Beyond 2^53 a number and the next are one, so there are no more than were asked for.
  for (let i = 0; i <= count + 1 && (first + i) * step <= high; i += 1) found.push((first + i) * step);
  return found;
}

function binned(values, low, high, count) {
  const bins = new Array(count).fill(0);
  for (const value of values) {
    const place = high > low ? Math.floor(((value - low) / (high - low)) * count) : 0;
    bins[Math.min(place, count - 1)] += 1;
  }
  return bins;
}

/** Smallest and largest of some numbers, a little apart even if they are equal. */
function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const margin = (high - low || Math.abs(high) || 1) * 0.04;
  return [low - margin, high + margin];
}

/** Drawn for a width in pixels, so that words are as large as those of the page. */
function histogram(e, width) {
  const [height, top, bottom, side] = [280, 46, 34, 12];
  const [low, high] = extent([...e.replicates, e.apparent]);
  const x = (value) => side + ((value - low) / (high - low)) * (width - 2 * side);
  const bins = binned(e.replicates, low, high, 36);
  const most = Math.max(...bins);
  const floor = height - bottom;
  const places = decimalsOf(e);
  const text =
    `Histogram of ${e.replicates.length} replicates around ${shown(e.estimate, places)}; ` +
    `the apparent score is ${shown(e.apparent, places)}.`;
  const svg = element("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": text,
  });
  const interval = e.confidence_interval;
  if (interval) {
    const [from, to] = [x(interval.low), x(interval.high)];
    const box = {
      class: "band",
      x: from,
      y: top,
      width: Math.max(1, to - from),
      height: floor - top,
    };
    svg.append(element("rect", box));
  }
  bins.forEach((count, place) => {
    const size = (width - 2 * side) / bins.length;
    const tall = (count / most) * (floor - top);
    const box = {
      class: "bar",
      x: side + place * size + 1,
      y: floor - tall,
      width: size - 2,
      height: tall,
    };
    if (count) svg.append(element("rect", box));
  });
  svg.append(element("line", { class: "axis", x1: side, x2: width - side, y1: floor, y2: floor }));
  for (const tick of ticks(low, high, width / 90)) {
    const at = { x: x(tick), y: height - 12, "text-anchor": "middle" };
    svg.append(
      element("line", { class: "axis", x1: x(tick), x2: x(tick), y1: floor, y2: floor + 5 }),
    );
    svg.append(element("text", at, general(tick, 4)));
  }
  const marks = [
    [e.estimate, "estimate", "corrected", 16],
    [e.apparent, "apparent", "apparent", 36],
  ];
  const lower = Math.min(e.estimate, e.apparent);
  for (const [value, kind, word, y] of marks) {
    const place = x(value);
    const left = value === lower ? place > WORDS_WIDE : place > width - WORDS_WIDE;
    const own = { x: place + (left ? -6 : 6), y, "text-anchor": left ? "end" : "start" };
    svg.append(
      element("line", { class: "halo", x1: place, x2: place, y1: y - 12, y2: floor }),
      element("line", { class: kind, x1: place, x2: place, y1: y - 12, y2: floor }),
      element("text", { ...own, class: `${kind}-text` }, `${word} ${shown(value, places)}`),
    );
  }
  return svg;
}

/** A table, most often first. */
function chosenTable(e) {
  const wins = new Array(e.n_configurations).fill(0);
  for (const winner of e.replicate_winners) wins[winner] += 1;
  const order = wins.map((_, place) => place).filter((place) => wins[place] > 0);
  order.sort((a, b) => wins[b] - wins[a] || a - b);
  const n = e.replicates.length;
  const others = order.slice(MOST_SHOWN);
  const rest = others.reduce((sum, place) => sum + wins[place], 0);
  const most = Math.max(wins[order[0]], rest);
  const line = (name, count) => {
    const bar = element("div");
    bar.style.width = `${(100 * count) / most}%`;
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      element("td", { class: "share" }, `${fixed((100 * count) / n, 1)} %`),
      element("td", { class: "length", "aria-hidden": "true" }, bar),
    );
  };
  const lines = order.slice(0, MOST_SHOWN).map((place) => {
    const name = place === e.winner ? `${e.names[place]} (winner on all rows)` : e.names[place];
    return line(name, wins[place]);
  });
  if (others.length) lines.push(line(counted(others.length, "other"), rest));
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "configuration"),
    element("th", { scope: "col", class: "share" }, "share"),
    element("td", { class: "length", "aria-hidden": "true" }),
  );
  return element(
    "table",
    { "aria-labelledby": "chosen-title" },
    element("thead", {}, head),
    element("tbody", {}, ...lines),
  );
}
