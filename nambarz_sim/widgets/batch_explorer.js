// The batch explorer: controls, one run at a time with its progress, and its results beside those of the run before.

const MARKS = { running: "… ", finished: "✓ ", stopped: "■ ", cancelled: "■ ", failed: "⚠ ", ready: "" };

function render({ model, el }) {
  const controls = element("div", {});
  const say = speaker(model, el);
  const run = runPart(model, say);
  const results = element("section", { class: "nambarz nambarz-results", "aria-label": say("Results") });
  el.append(element("div", { class: "nambarz-batch" }, controls, run.box, results));
  const unmount = mount(model, controls, drawControls);
  const drawResults = () => results.replaceChildren(...resultsOf(model.get("runs"), say));
  const listeners = [["change:progress", run.tell], ["change:runs", drawResults]];
  for (const [event, listener] of listeners) model.on(event, listener);
  run.tell();
  drawResults();
  return () => {
    unmount();
    for (const [event, listener] of listeners) model.off(event, listener);
  };
}

function drawControls(view, send, error, memory, say) {
  const number = (label, name, size) => changeField({ label, name, value: view[name], inputmode: "numeric", size, send, error, memory });
  const toggle = element("input", { type: "checkbox", checked: view.each_change, key: "each_change", onchange: () => send("choose", { each_change: toggle.checked }, "each_change") });
  return [
    element(
      "div",
      { class: "nambarz-row" },
      setUpFields(view.set_up, send, error, memory, say),
      number(say("Games"), "games", 9),
      number(say("Seed of the deals"), "seed", 9),
      element("label", { class: "nambarz-box" }, toggle, ` ${say("Run at every change")}`),
    ),
    ["run", "each_change"].includes(error.field) ? errorText(error.message) : null,
  ];
}

// These stay in place while a run goes on, so that the focus stays and screen readers hear what changes.
function runPart(model, say) {
  const ask = (act) => () => model.send({ act, values: {}, field: "run" });
  const start = element("button", { type: "button", class: "nambarz-main", onclick: ask("run") }, say("Run"));
  const stop = element("button", { type: "button", onclick: ask("stop") }, say("Stop"));
  const filled = element("div", {});
  const bar = element("div", { class: "nambarz-bar", role: "progressbar", "aria-label": say("Games played"), "aria-valuemin": "0" }, filled);
  const count = element("span", { class: "nambarz-count", "aria-hidden": "true" });
  const status = element("p", { class: "nambarz-news", role: "status", "aria-live": "polite" });
  const tell = () => {
    const { state, text, done, total, played } = model.get("progress");
    for (const [name, value] of [["aria-valuemax", total], ["aria-valuenow", done], ["aria-valuetext", total ? played : say("no run")]]) bar.setAttribute(name, value);
    filled.style.width = total ? `${(100 * done) / total}%` : "0";
    count.textContent = total ? played : "";
    stop.setAttribute("aria-disabled", String(state !== "running"));
    status.classList.toggle("nambarz-error", state === "failed");
    if (status.textContent !== MARKS[state] + text) status.textContent = MARKS[state] + text;
  };
  const row = element("div", { class: "nambarz-row" }, start, stop, bar, count);
  return { box: element("section", { class: "nambarz nambarz-run", "aria-label": say("Run") }, row, status), tell };
}

// --- the results ---

function resultsOf(runs, say) {
  if (!runs.length) return [];
  const names = runs.length > 1 ? [say("This run"), say("The run before")] : [say("This run")];
  const headings = [say("Game length"), say("Master strokes")];
  return [
    ...headings.map((heading, which) =>
      element(
        "section",
        {},
        element("h3", {}, heading),
        element("div", { class: "nambarz-plots" }, runs.map((run, place) => plot(run.plots[which], names[place]))),
      ),
    ),
    keyFigures(runs, names, say),
  ];
}

function plot({ address, description }, name) {
  return element("figure", {}, element("figcaption", {}, name), element("img", { src: address, alt: `${name}. ${description}` }));
}

function keyFigures(runs, names, say) {
  const [now] = runs;
  const head = (scope) => (text) => element("th", { scope }, text);
  const played = now.played.map(([name], line) => {
    const values = runs.map((run) => run.played[line][1]);
    const differs = new Set(values).size > 1;
    return element("tr", { class: differs ? "nambarz-differs" : null }, head("row")(differs ? `≠ ${name}` : name), values.map((value) => element("td", {}, value)));
  });
  const figures = now.figures.map(([measure], line) =>
    element(
      "tr",
      {},
      head("row")(measure),
      runs.map((run) => element("td", {}, element("b", {}, run.figures[line][1]), ` (${run.figures[line][2]})`)),
    ),
  );
  return element(
    "table",
    {},
    element("caption", {}, runs.length > 1 ? say("What was played (≠: not the same), and the key figures with 95% intervals") : say("What was played, and the key figures with 95% intervals")),
    element("thead", {}, element("tr", {}, element("td", {}), names.map(head("col")))),
    element("tbody", {}, played),
    element("tbody", {}, figures),
  );
}

export default { render };
