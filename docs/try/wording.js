"use strict";
// What bbc says of a result: the package's sentences, filled with the facts of a result. WORDING is
// what build.py takes from bbc._sentences.

/** A fact, or a sentence; null where it is not known. */
function factOf(name, facts) {
  if (name in facts) return facts[name] ?? null;
  return name in WORDING.sentences ? say(name, facts) : null;
}

const SIGNS = {
  is: (own) => Boolean(own),
  not: (own) => !own,
  known: (own) => own !== null,
  unknown: (own) => own === null,
  in: (own, words) => words.includes(own),
  "==": (own, other) => own === other,
  "<": (own, other) => own < other,
  "<=": (own, other) => own <= other,
  ">": (own, other) => own > other,
  ">=": (own, other) => own >= other,
};

function holds([name, sign, operand], facts) {
  const own = factOf(name, facts);
  const other = operand?.fact ? factOf(operand.fact, facts) : operand;
  if (operand !== null && (own === null || other === null)) return false;
  return SIGNS[sign](own, other);
}

/** A text with its facts; a list is a separator and the texts that it joins. */
function worded(text, facts) {
  if (Array.isArray(text)) {
    const [between, ...parts] = text;
    return parts.map((part) => worded(part, facts)).filter(Boolean).join(between);
  }
  return text.replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, form) =>
    inForm(factOf(name, facts), form, facts),
  );
}

/** A fact in its format, as Python's format() writes it. */
function inForm(value, form, facts) {
  if (form === undefined) return String(value);
  if (value === null) return "unknown";
  if (form.endsWith("decimals")) return shown(value, facts[form]);
  if (form === "percent") return `${general(100 * value, 3)} %`;
  if (form === "capital") return value.slice(0, 1).toUpperCase() + value.slice(1);
  if (form.startsWith("count ")) return counted(value, form.slice(6));
  return general(value, form === "g" ? 6 : Number(form.slice(1, -1)));
}

/** A sentence; empty where none of its conditions holds. */
function say(name, facts) {
  const case_ = WORDING.sentences[name].find(({ when }) => when.every((one) => holds(one, facts)));
  return case_ ? worded(case_.text, facts) : "";
}

/** Code and detail of the findings that facts show, those of the list `of`; others are unknown. */
function foundBy(of, facts) {
  const given = WORDING.given[of];
  const found = [];
  for (const [code, cases] of Object.entries(WORDING.findings)) {
    const shown = cases.find(
      ({ needs, when }) =>
        needs.every((name) => given.includes(name)) && when.every((one) => holds(one, facts)),
    );
    if (shown) found.push([code, worded(shown.text, facts)]);
  }
  return found;
}
