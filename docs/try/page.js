"use strict";
// The page: choices in, the worker's answers out.

const at = (id) => document.getElementById(id);
const FACTS = JSON.parse(at("facts-table").textContent);
const KIND = new Map(FACTS.findings.map((kind) => [kind.code, kind]));
const METRIC = new Map(FACTS.metrics.map((metric) => [metric.name, metric]));
const LARGEST = 2 ** 28; // bytes of a file: its text, cells and numbers take many times as much
const CHOICES = ["truth", "folds", "metric", "positive", "method", "replicates", "seed", "level"];

let worker = null;
let table = null; // what the worker said of the columns
let source = null; // name, bytes and positive class of the file
let result = null; // the last document
let asked = 0;
let busy = false;
let again = false;
const waiting = new Map();

function started() {
  const code = new Blob([at("shared").textContent, at("worker").textContent], {
    type: "text/javascript",
  });
  const place = URL.createObjectURL(code);
  worker = new Worker(place);
  URL.revokeObjectURL(place);
  worker.onmessage = ({ data }) => {
    if (data.progress !== undefined) {
      at("progress").value = data.progress;
      return;
    }
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.refusal === undefined) resolve(data.result);
    else reject(new Error(data.refusal));
  };
  const text = atob(at("kernel").textContent.trim());
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return told("start", { bytes: bytes.buffer });
}

function told(task, more = {}) {
  asked += 1;
  const id = asked;
  const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  worker.postMessage({ id, task, ...more });
  return answer;
}

function refuse(message) {
  at("refusal").textContent = message;
  at("refusal").hidden = message === "";
}

/** How the file is to be read. */
function reading() {
  return { bytes: source.bytes, how: { header: at("header").value, decimal: at("decimal").value } };
}

async function read(name, bytes, positive) {
  source = { name, bytes, positive };
  at("header").value = "";
  at("decimal").value = "";
  await readAgain();
}

async function readAgain() {
  const { name } = source;
  result = null;
  at("loaded").textContent = `Reading ${name}.`;
  refuse("");
  at("result").hidden = true;
  try {
    await ready;
    table = await told("read", reading());
  } catch (error) {
    table = null;
    at("choices").hidden = true;
    at("loaded").textContent = "";
    at("reading").open = true;
    refuse(error.message);
    return;
  }
  const size = `${counted(table.nRows, "row")}, ${counted(table.columns.length, "column")}`;
  const marks = { ".": " Its numbers have decimal points.", ",": " Its numbers have decimal commas." };
  at("loaded").textContent = `${name}: ${size}.${marks[table.decimal] ?? ""}`;
  at("choices").hidden = false;
  fill(
    "truth",
    table.columns.map((column, place) => [place, column.name]),
    table.truth,
  );
  const folds = table.columns.map((column, place) => [place, column.name]);
  fill("folds", [[-1, "none"], ...folds], table.folds);
  fillConfigurations();
  await truthChanged();
}

function fill(id, options, chosen) {
  filled(at(id), options.map(([value, text]) => element("option", { value }, text)));
  if (chosen !== undefined) at(id).value = chosen;
}

/** A box for each column; those that seem to be none are left out, and say why. */
function fillConfigurations() {
  const boxes = table.columns.map((column, place) => {
    const why = table.left[place];
    const box = element("input", { type: "checkbox", id: `column-${place}`, value: place });
    box.checked = !why;
    return element("div", { class: "choice" }, box, element("label", { for: box.id }));
  });
  filled(at("configurations"), boxes);
}

function configurations() {
  const taken = [Number(at("truth").value), Number(at("folds").value)];
  const known = new Set(table.ranks);
  const chosen = [];
  table.columns.forEach(({ name }, place) => {
    const box = at(`column-${place}`);
    const role = ["the truth", "the folds"][taken.indexOf(place)];
    const why = table.left[place] && !box.checked ? `left out: ${table.left[place]}` : "";
    box.disabled = role !== undefined;
    const ranks = known.has(name) && box.checked ? "taken as ranks" : "";
    const said = role ?? (why || ranks);
    box.labels[0].textContent = said ? `${name} (${said})` : name;
    if (box.checked && !box.disabled) chosen.push(place);
  });
  const n = counted(chosen.length, "column");
  const left = table.columns.length - chosen.length - new Set(taken.filter((one) => one >= 0)).size;
  at("configurations-summary").textContent =
    `Configurations: ${n}${left ? `, ${left} left out` : ""}`;
  return chosen;
}

/** Another truth has other metrics and classes. */
async function truthChanged() {
  const truth = Number(at("truth").value);
  const { kind, kinds, classes } = table.columns[truth];
  const usable = FACTS.metrics.filter((metric) => kinds.includes(metric.target));
  const all = usable.length ? usable : FACTS.metrics;
  const groups = new Map();
  for (const metric of all) {
    if (!groups.has(metric.group)) groups.set(metric.group, []);
    groups.get(metric.group).push(element("option", { value: metric.name }, metric.name));
  }
  const lists = [...groups].map(([label, options]) => element("optgroup", { label }, ...options));
  at("metric").replaceChildren(...lists);
  const labels = classes.map((label) => [label, label]);
  if (kind === "text") labels.unshift(["", "choose"]); // the larger number, but no text
  fill("positive", labels, kind === "text" ? (source.positive ?? "") : classes[1]);
  const { metric } = await told("first", { truth, configurations: configurations() });
  at("metric").value = all.some(({ name }) => name === metric) ? metric : all[0].name;
  await correct();
}

function choicesMade() {
  const number = (id) => Number(at(id).value);
  const choices = {
    truth: number("truth"),
    folds: number("folds"),
    configurations: configurations(),
    method: at("method").value,
    positive: at("positive").value,
    seed: number("seed"),
    nBootstraps: number("replicates"),
    confidenceLevel: number("level"),
  };
  const wrong = ["replicates", "seed", "level"].find(
    (id) => !at(id).checkValidity() || !at(id).value,
  );
  if (wrong) throw new Error(`${at(wrong).labels[0].textContent}: ${at(wrong).validationMessage}`);
  return choices;
}

/** Corrects what is chosen now; while a correction runs, the next one waits for it. */
async function correct() {
  again = busy;
  if (busy || !table) return;
  const metric = METRIC.get(at("metric").value);
  at("positive-line").hidden = metric.target !== "binary" || at("positive").options.length < 2;
  at("result").classList.add("stale");
  const slow = setTimeout(() => {
    at("working").hidden = false;
  }, 300);
  busy = true;
  try {
    const answer = await told("correct", { choices: choicesMade(), metric });
    refuse("");
    at("taken").textContent = answer.taken;
    show(answer.document);
    at("result").dataset.milliseconds = answer.milliseconds;
  } catch (error) {
    refuse(error.message);
    at("result").hidden = true;
    result = null;
  }
  busy = false;
  clearTimeout(slow);
  at("working").hidden = true;
  at("progress").removeAttribute("value");
  if (again) await correct();
}

function show(e) {
  result = e;
  at("result").hidden = false;
  at("result").classList.remove("stale");
  at("headline").textContent = headline(e);
  at("uncorrected").textContent = uncorrected(e);
  showFindings(e);
  drawHistogram();
  at("histogram-note").textContent =
    "Each replicate repeats the selection and scores the selected " +
    `configuration out of bag.${e.confidence_interval ? " The shaded part is the interval." : ""}`;
  at("chosen").replaceChildren(chosenTable(e));
  at("methods").replaceChildren(
    element("p", {}, methods(e)),
    element("p", {}, `[1] ${FACTS.citation}.`),
  );
  at("copied").textContent = "";
  at("facts").replaceChildren(factsTable(e));
  at("python").textContent = pythonOf(e);
}

function drawHistogram() {
  const width = Math.max(280, at("histogram").clientWidth);
  at("histogram").replaceChildren(histogram(result, width));
}

function showFindings(e) {
  const told = findingsOf(e).filter(([code]) => KIND.get(code).level !== "record");
  const found = told.map(([code, detail]) => {
    const kind = KIND.get(code);
    return element(
      "div",
      { class: "finding" },
      element("strong", {}, `${code} ${kind.title}`),
      `: ${detail}.`,
      element("br"),
      `${kind.why} What to do: ${kind.advice}.`,
    );
  });
  if (found.length) found.unshift(element("h3", {}, "Limitations"));
  at("limitations").replaceChildren(...found);
}

function factsTable(e) {
  const rows = facts(e).map(([label, text]) =>
    element("tr", {}, element("th", { scope: "row" }, label), element("td", {}, text)),
  );
  return element("table", { class: "facts" }, element("tbody", {}, ...rows));
}

/** The call that gives the same result in Python, with what the page decided about the table. */
function pythonOf(e) {
  const nameOf = (id) => JSON.stringify(table.columns[Number(at(id).value)].name);
  const design = [`truth=${nameOf("truth")}`];
  if (e.n_folds) design.push(`folds=${nameOf("folds")}`);
  const taken = new Set(e.names.map((name) => JSON.stringify(name)));
  const own = new Set([...taken, nameOf("truth")]);
  if (e.n_folds) own.add(nameOf("folds"));
  const names = table.columns.map((column) => JSON.stringify(column.name));
  const left = names.filter((name) => !own.has(name));
  const chosen = names.some((name, place) => taken.has(name) && table.left[place]);
  if (chosen) design.push(`names=[${[...taken].join(", ")}]`);
  else if (left.length) design.push(`ignore=[${left.join(", ")}]`);
  const decimal = at("decimal").value || (table.decimal === "," ? "," : "");
  if (decimal) design.push(`decimal="${decimal}"`);
  const header = at("header").value;
  if (header) design.push(`header=${header === "yes" ? "True" : "False"}`);
  if (e.pos_label !== null) design.push(`pos_label=${JSON.stringify(e.pos_label)}`);
  const call = ["predictions", `metric="${e.metric}"`];
  if (e.method !== "bbc") call.push(`method="${e.method}"`);
  if (e.replicates.length !== 5000) call.push(`n_bootstraps=${e.replicates.length}`);
  const level = Number(at("level").value);
  if (level !== 0.95) call.push(`confidence_level=${level}`);
  call.push(`random_state=${e.seed}`);
  const lines = (parts) => parts.map((part) => `    ${part},\n`).join("");
  const file = JSON.stringify(source.name);
  const plain = !table.wide && /\.(csv|tsv)$/i.test(source.name);
  const encoding = table.wide ? "utf-16" : "utf-8";
  const opened = `open(${file}, encoding="${encoding}", newline="")`;
  return `import bbc

table = ${plain ? file : opened}
predictions = bbc.Predictions.from_wide(
${lines(["table", ...design])})
result = bbc.correct(
${lines(call)})
print(result.summary())
`;
}

function csvOf(e) {
  const interval = e.confidence_interval ?? {};
  const row = {
    metric: e.metric,
    method: e.method,
    pooling: e.pooling,
    estimate: e.estimate,
    low: interval.low,
    high: interval.high,
    confidence_level: interval.confidence_level,
    alternative: interval.alternative,
    apparent: e.apparent,
    optimism: optimismOf(e),
    winner: e.winner,
    winner_name: e.winner_name,
    replicate_sd: e.replicate_sd,
    n_bootstraps: e.replicates.length,
    n_redrawn: e.n_redrawn,
    n_rows: e.n_rows,
    n_configurations: e.n_configurations,
    n_folds: e.n_folds,
    seed: e.seed,
    version: e.version,
  };
  const cell = (value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const line = (cells) => `${cells.map((one) => cell(String(one ?? ""))).join(",")}\n`;
  return line(Object.keys(row)) + line(Object.values(row));
}

function save(name, type, text) {
  const link = element("a", {
    download: name,
    href: URL.createObjectURL(new Blob([text], { type })),
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copyText() {
  const text = [...at("methods").children].map((one) => one.textContent).join("\n\n");
  try {
    await navigator.clipboard.writeText(text);
    at("copied").textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(at("methods"));
    at("copied").textContent = "The text is selected: copy it.";
  }
}

/** Ends the worker, with what it does, and reads the table again for other choices. */
async function stop() {
  worker.terminate();
  const halted = [...waiting.values()];
  waiting.clear();
  ready = started();
  await ready;
  await told("read", reading());
  again = false;
  halted.forEach(({ reject }) => reject(new Error("Stopped. Change a choice to start again.")));
}

async function take(file) {
  if (!file) return;
  if (file.size > LARGEST) {
    refuse(`${file.name} has ${Math.round(file.size / 2 ** 20)} MB, and this page takes ${LARGEST / 2 ** 20}: bbc.correct in Python takes more.`);
    return;
  }
  await read(file.name, await file.arrayBuffer());
}

let ready = started();
ready.catch((error) => refuse(error.message));
at("file").addEventListener("change", ({ target }) => take(target.files[0]));
at("example").addEventListener("click", () => {
  const bytes = new TextEncoder().encode(at("example-table").textContent.trimStart());
  read("example.csv", bytes.buffer, "malignant");
});
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    at("drop").classList.toggle("over", kind === "dragenter" || kind === "dragover");
    if (kind === "drop") take(event.dataTransfer.files[0]);
  });
}
for (const id of ["header", "decimal"])
  at(id).addEventListener("change", () => source && readAgain());
for (const id of CHOICES)
  at(id).addEventListener("change", id === "truth" ? truthChanged : correct);
at("configurations").addEventListener("change", correct);
at("form").addEventListener("submit", (event) => event.preventDefault());
addEventListener("resize", () => result && drawHistogram());
at("stop").addEventListener("click", stop);
at("copy").addEventListener("click", copyText);
at("json").addEventListener("click", () =>
  save("bbc.json", "application/json", JSON.stringify(result)),
);
at("csv").addEventListener("click", () => save("bbc.csv", "text/csv", csvOf(result)));
