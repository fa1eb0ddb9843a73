// The hand explorer: the hand and the active card, the verdict on the cards pressed, every legal play, the controls.

const FIELDS = ["hand", "deal", "active", "drawn", "operations", "players", "wildcards", "hand_size"];

function drawExplorer(model) {
  return (view, send, error, memory, say) => {
    const shown = { view, send, error, memory, model, say };
    const elsewhere = error.message && !FIELDS.includes(error.field);
    const plays = unchanged(memory, "plays", { groups: view.groups, count: view.count }, (data) => playsPart(data, send, memory, say));
    markSelected(plays, view.selected);
    const parts = [table(shown), elsewhere ? errorText(error.message) : null, verdict(shown), ...controls(shown)];
    return [arrange(lasting(memory, "nambarz-explorer-hand"), parts.filter(Boolean)), plays];
  };
}

// A box that stays while what is in it changes.
function lasting(memory, name) {
  return unchanged(memory, name, null, () => element("div", { class: name }));
}

function table(shown) {
  const { view, error, memory } = shown;
  const active = unchanged(memory, "active", [view.active, view.actives, error, memory.asked], () => activeCard(shown));
  return arrange(lasting(memory, "nambarz-explorer-table"), [active, hand(shown)]);
}

function controls(shown) {
  const { view, error, memory, say } = shown;
  const cards = view.hand.map((card) => card.text);
  const rules = say("Rules: {signs}, {wildcards} wildcards, {players} players", { ...view.rules, signs: signsAllowed(view.rules) });
  return [
    unchanged(memory, "cards", [cards, view.hand_text, view.deck, view.seed, view.drawn, error, memory.asked], () =>
      disclosure(memory, "cards", say("Change the hand"), () => handControls(shown)),
    ),
    unchanged(memory, "rules", [view.rules, error, memory.asked], () => disclosure(memory, "rules", rules, () => ruleControls(shown))),
  ];
}

function errorOf(error, name) {
  return error.field === name ? error.message : "";
}

function hand(shown) {
  const { view, send, memory, say } = shown;
  const drawnPlace = view.hand.map((card) => card.text).lastIndexOf(view.drawn);
  const cards = view.hand.map((card, place) =>
    unchanged(memory, `hand-${place}`, [card, place === drawnPlace], () => handCard(shown, card, place, place === drawnPlace)),
  );
  const section = unchanged(memory, "hand", view.title, (title) =>
    element(
      "section",
      { class: "nambarz-explorer-cards", "aria-label": say("Hand") },
      element(
        "div",
        { class: "nambarz-row nambarz-explorer-title" },
        element("h2", {}, title),
        element("button", { type: "button", class: "nambarz-main", key: "deal", onclick: () => send("deal", {}, "deal") }, say("Deal at random")),
      ),
      element("ul", { class: "nambarz-cards" }),
      cards.length ? null : element("p", {}, say("The hand is empty. Deal one, or open “Change the hand”.")),
    ),
  );
  arrange(section.querySelector("ul"), cards);
  return section;
}

function handCard({ send, model, say }, card, place, isDrawn) {
  const drawn = isDrawn ? say("drawn in this turn") : "";
  const laid = card.order ? say("number {order} of the cards to lay", card) : "";
  return element(
    "li",
    {},
    cardButton(model, card, {
      pressed: card.order > 0,
      mark: card.order || null,
      label: [card.name, drawn, laid].filter(Boolean).join(", "),
      key: `hand-${place}`,
      onclick: () => send("toggle", { place }),
    }),
    isDrawn ? element("span", { class: "nambarz-explorer-drawn", "aria-hidden": "true" }, say("drawn")) : null,
    element(
      "button",
      { type: "button", class: "nambarz-explorer-remove", key: `remove-${place}`, "aria-label": say("take {card} out", { card: card.name }), onclick: () => send("remove_card", { place }) },
      "✕",
    ),
  );
}

function verdict(shown) {
  const { view, send, model, say } = shown;
  const selected = view.hand.some((card) => card.order);
  return element(
    "section",
    { "aria-label": say("Verdict on the cards pressed") },
    element("h2", {}, say("If you laid these")),
    selected
      ? [
          element("div", { class: "nambarz-row" }, signs(shown), element("button", { type: "button", key: "none", onclick: () => send("clear_selection") }, say("Unselect all"))),
          element("div", { "data-announce": "verdict" }, verdictBox(model, view.verdict, say, (text) => send("select", { text }))),
        ]
      : element("p", { class: "nambarz-verdict nambarz-is-refused", "data-announce": "verdict" }, say("Press cards of the hand in the order you would lay them: the verdict stands here at once.")),
  );
}

// The cards pressed in a row, with the signs between them.
function signs({ view, send, say }) {
  const laid = view.hand.filter((card) => card.order).sort((one, other) => one.order - other.order);
  const { places, chosen, found, start } = view.signs;
  const printed = Object.fromEntries(view.rules.signs);
  const between = (place) => {
    if (place >= places) return " ";
    if (!chosen) return element("span", {}, found ? printed[found[place]] : "?");
    const select = choice(
      view.rules.signs,
      chosen[place],
      (sign) => send("choose_signs", { text: chosen.slice(0, place) + sign + chosen.slice(place + 1) }),
      `sign-${place}`,
    );
    select.setAttribute("aria-label", say("sign between {card} and {next}", { card: laid[place].name, next: laid[place + 1].name }));
    return select;
  };
  const mode = places
    ? element(
        "button",
        { type: "button", key: "signs", onclick: () => send("choose_signs", { text: chosen ? "" : start }) },
        chosen ? say("Any signs that work") : say("Choose the signs"),
      )
    : null;
  const row = laid.flatMap((card, place) => [element("span", { class: "nambarz-explorer-laid" }, card.written), place < laid.length - 1 ? between(place) : null]);
  return [element("div", { class: "nambarz-explorer-row" }, row), mode];
}

function handControls({ view, send, error, memory, model, say }) {
  const deck = view.deck.map((card) =>
    element(
      "li",
      {},
      cardButton(model, card, {
        label: say("add {card}, {left} left", { card: card.name, left: card.left }),
        mark: String(card.left),
        key: `add-${card.text}`,
        onclick: () => send("add_card", { text: card.text }, "hand"),
      }),
    ),
  );
  const common = { send, error, memory };
  return [
    textForm({ ...common, label: say("Type the cards, such as 10 4 2 7fish change-any"), name: "hand", value: view.hand_text, act: "set_hand", parameter: "text", button: say("Take this hand") }),
    element("p", {}, say("Or press cards to add them (the number says how many are left), and ✕ below a card of the hand to take it out.")),
    element("ul", { class: "nambarz-cards nambarz-explorer-deck", "data-scroll": "deck" }, deck),
    element(
      "div",
      { class: "nambarz-row" },
      element("button", { type: "button", key: "clear", onclick: () => send("clear", {}, "hand") }, say("Take all out")),
      textForm({ ...common, label: say("Deal number"), name: "deal", value: view.seed, act: "deal", parameter: "seed", button: say("Deal this one"), inputmode: "numeric", size: 8 }),
      field(say("Drawn in this turn"), choice([["", say("none")], ...distinct(view.hand)], view.drawn, (text) => send("set_drawn", { text }, "drawn"), "drawn"), errorOf(error, "drawn")),
    ),
  ];
}

function distinct(cards) {
  return [...new Map(cards.map((card) => [card.text, card.name]))];
}

function ruleControls({ view, send, error, memory, say }) {
  const { rules } = view;
  return element(
    "div",
    { class: "nambarz-row nambarz-explorer-rules" },
    operationsField(rules, send, error, say),
    wildcardsField(rules, send, error, memory, say),
    playersField(rules, send, error, say),
    changeField({ label: say("Cards of a deal"), name: "hand_size", value: String(rules.hand_size), inputmode: "numeric", size: 4, send, error, memory }),
  );
}

// Every legal play in its group. The steps of the one that is pointed at or focused stand in a line above them.
function playsPart({ groups, count }, send, memory, say) {
  const hint = say("Point at a play, or move to it with Tab: its steps stand here.");
  const line = element("p", { class: "nambarz-explorer-line", "aria-hidden": "true" }, hint);
  const section = element(
    "section",
    { class: "nambarz-explorer-plays", "aria-label": say("Legal plays") },
    element("h2", { "data-announce": "count" }, count),
    groups.length ? [line, stepsOfAll(memory, say)] : null,
    element("div", { class: "nambarz-explorer-groups", "data-scroll": "plays" }, groups.map((group) => playGroup(group, send, line, say))),
  );
  section.classList.toggle("nambarz-explorer-open", Boolean(memory.steps));
  return section;
}

// The play whose cards are pressed in the hand has a tick (by its style sheet, from aria-pressed).
function markSelected(section, selected) {
  for (const button of section.querySelectorAll("[data-cards]")) {
    const pressed = String(button.dataset.cards === selected);
    if (button.getAttribute("aria-pressed") !== pressed) button.setAttribute("aria-pressed", pressed);
  }
}

function stepsOfAll(memory, say) {
  const box = element("input", { type: "checkbox", key: "steps", checked: Boolean(memory.steps) });
  box.addEventListener("change", () => {
    memory.steps = box.checked;
    box.closest("section").classList.toggle("nambarz-explorer-open", box.checked);
  });
  return element("label", { class: "nambarz-explorer-always" }, box, ` ${say("Show the steps of all plays")}`);
}

function playGroup(group, send, line, say) {
  const items = group.plays.map((play) => {
    const steps = element("span", { class: "nambarz-explorer-steps", id: freshId() }, play.steps);
    const tell = () => line.replaceChildren(element("strong", {}, `${play.text}: `), play.steps);
    const press = element(
      "button",
      { type: "button", key: `play-${group.key}-${play.cards}`, "aria-describedby": steps.id, "data-cards": play.cards, onclick: () => send("select", { text: play.cards }) },
      play.text,
    );
    return element("li", { onpointerenter: tell, onfocusin: tell }, press, steps);
  });
  return element(
    "section",
    { "aria-label": group.title },
    element("h3", {}, group.heading, group.stroke ? element("span", { class: "nambarz-explorer-stroke" }, `★ ${group.stroke}`) : null),
    element("ul", {}, items),
    group.more ? element("p", {}, `${group.more} `, element("button", { type: "button", key: `all-${group.key}`, onclick: () => send("show_all", { group: group.key }) }, say("Show all"))) : null,
  );
}

export default { render: ({ model, el }) => mount(model, el, drawExplorer(model), "nambarz-explorer") };
