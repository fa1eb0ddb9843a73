// The calculation checker: the active card, a calculation typed or clicked together, its verdict, and the last ones.

const FIELDS = ["calculation", "active", "hand", "operations"];

// The last part of a calculation.
const LAST_PART = /(\p{L}+(-\p{L}+)+|[\p{L}\p{N}]+|\S)?\s*$/u;

function drawChecker(model) {
  return (view, send, error, memory, say) => {
    const shown = { view, send, error, memory, model, say };
    return [
      element("div", { class: "nambarz-checker-entry" }, element("div", { class: "nambarz-checker-table" }, activeCard(shown), keyboard(shown)), controls(shown)),
      element("div", { class: "nambarz-checker-verdict" }, error.message && !FIELDS.includes(error.field) ? errorText(error.message) : null, verdict(shown), recent(shown)),
    ];
  };
}

// The text field with its keys: signs, brackets and cards write where the caret stands.
function keyboard({ view, send, error, memory, model, say }) {
  const printed = Object.fromEntries(view.rules.signs);
  const form = textForm({
    label: say("Calculation, or cards in the order laid"), name: "calculation", value: view.text, act: "check", parameter: "text", button: say("Check"),
    placeholder: `(10 - 4) ${printed["/"]} 2`, send, error, memory,
  });
  const input = form.querySelector("input");
  // Where the next part goes; a field without the focus does not tell its caret reliably.
  const caret = () => (memory.caret = input.selectionStart);
  for (const type of ["input", "keyup", "pointerup"]) input.addEventListener(type, caret);
  const split = () => [input.value.slice(0, memory.caret ?? input.value.length), input.value.slice(memory.caret ?? input.value.length)];
  const write = (before, behind) => {
    input.value = before + behind;
    input.dispatchEvent(new Event("input"));
    memory.caret = before.length;
    input.setSelectionRange(memory.caret, memory.caret);
  };
  const press = (part) => () => {
    const [before, behind] = split();
    write(`${before}${before && part !== ")" && !/[\s(]$/.test(before) ? " " : ""}${part}`, behind);
  };
  const erase = () => {
    const [before, behind] = split();
    write(before.replace(LAST_PART, "").trimEnd(), behind);
  };
  const key = (label, name, onclick) => element("button", { type: "button", class: "nambarz-checker-key", key: `key-${name}`, "aria-label": name, onclick }, label);
  const signs = [["+", say("plus")], ["−", say("minus")], [printed["*"], say("times")], [printed["/"], say("divided by")], ["(", say("open bracket")], [")", say("close bracket")]];
  const keys = [
    ...signs.map(([sign, name]) => key(sign, name, press(sign))),
    key("⌫", say("erase the last part"), erase),
    element("button", { type: "button", key: "clear", onclick: () => (write("", ""), send("clear", {}, "calculation")) }, say("Clear")),
  ];
  const group = ({ title, cards }) => {
    const buttons = () => cards.map((card, place) => element("li", {}, cardButton(model, card, { label: card.name, key: `card-${title}-${place}`, onclick: press(card.written) })));
    const list = () => element("ul", { class: "nambarz-cards", "aria-label": title }, buttons());
    return view.cards.length > 1 && title !== view.cards[0].title ? disclosure(memory, title, title, list) : [element("h3", {}, title), list()];
  };
  return element(
    "section",
    { class: "nambarz-checker-keyboard", "aria-label": say("Calculation") },
    form,
    element("div", { class: "nambarz-row", role: "group", "aria-label": say("Signs and brackets") }, keys),
    view.cards.map(group),
  );
}

function controls({ view, send, error, memory, say }) {
  const signs = signsAllowed(view.rules);
  return disclosure(
    memory,
    "settings",
    view.hand_text ? say("Hand and operations: a hand, {signs}", { signs }) : say("Hand and operations: any cards, {signs}", { signs }),
    () => [
      textForm({ label: say("Cards that may be used; empty: any of the deck"), name: "hand", value: view.hand_text, act: "set_hand", parameter: "text", button: say("Take this hand"), send, error, memory }),
      operationsField(view.rules, (_act, { operations }, name) => send("set_operations", { text: operations }, name), error, say),
    ],
  );
}

function verdict({ view, model, say }) {
  const nothing = say("Type a calculation and press Enter, or press cards and signs and then Check: the verdict stands here.");
  return element(
    "section",
    { "aria-label": say("Verdict"), "data-announce": "verdict" },
    element("h2", {}, say("Verdict")),
    view.verdict
      ? [marked(view, say), view.steps ? element("p", { class: "nambarz-checker-steps" }, say("Step by step: {steps}", view)) : null, verdictBox(model, view.verdict, say)]
      : element("p", { class: "nambarz-verdict nambarz-is-refused" }, nothing),
  );
}

// The calculation as it was written, with the place where it stops making sense.
function marked({ text, position }, say) {
  if (position === null) return element("p", { class: "nambarz-checker-text" }, text);
  return element(
    "p",
    { class: "nambarz-checker-text" },
    text.slice(0, position),
    element("span", { class: "nambarz-unseen" }, ` ${say("stops making sense here:")} `),
    element("mark", {}, text.slice(position) || "␣"),
  );
}

function recent({ view, send, say }) {
  if (!view.recent.length) return null;
  const item = ({ text, told }, place) =>
    element(
      "li",
      {},
      element("button", { type: "button", key: `recent-${place}`, "aria-label": say("check {calculation} again", { calculation: text }), onclick: () => send("check", { text }, "calculation") }, text),
      ` ${told}`,
    );
  return element("section", { "aria-label": say("Last verdicts") }, element("h2", {}, say("Last verdicts")), element("ol", { class: "nambarz-checker-recent" }, view.recent.map(item)));
}

export default { render: ({ model, el }) => mount(model, el, drawChecker(model), "nambarz-checker") };
