// The table: the others around it, the card to cover in the middle, the own hand below, and what happened.

const FACE_DOWN = { text: "face down", name: "" };
const MOST_BACKS = 7;

function render({ model, el }) {
  const board = element("div", { class: "nambarz-board" });
  const log = logBox(speaker(model, el));
  el.append(element("div", { class: "nambarz-table" }, board, log.box));
  const unmount = mount(model, board, (view, send, error, memory, say) => drawTable(model, view, send, error, memory, say));
  const tell = () => log.tell(model.get("view"));
  model.on("change:view", tell);
  tell();
  return () => {
    unmount();
    model.off("change:view", tell);
  };
}

// The log stays in place and only grows, so that screen readers read what is new.
function logBox(say) {
  const lines = element("div", { class: "nambarz-log", role: "log", "aria-live": "polite", "aria-label": say("What happened"), tabindex: "0" });
  let round = null;
  const tell = (view) => {
    if (view.round !== round) lines.replaceChildren();
    round = view.round;
    for (const { text, own } of view.log.slice(lines.childElementCount)) {
      lines.append(element("p", { class: own ? "nambarz-own" : null }, text));
    }
    lines.scrollTop = lines.scrollHeight;
  };
  return { box: element("section", { class: "nambarz nambarz-story" }, element("h3", {}, say("What happened")), lines), tell };
}

function drawTable(model, view, send, error, memory, say) {
  memory.error = error;
  if (memory.moves !== view.moves) Object.assign(memory, { moves: view.moves, laid: [], signs: [], text: "" });
  return [
    setUpPart(view, send, error, memory, say),
    othersAndMiddle(model, view, say),
    view.sheet.length ? scoreSheet(view, send, error, say) : ownTurn(model, view, send, error, memory, say),
  ];
}

function setUpPart(view, send, error, memory, say) {
  const seed = changeField({ label: say("Seed of the deals"), name: "seed", value: view.seed, inputmode: "numeric", size: 9, send, error, memory });
  const deal = element("button", { type: "button", key: "new_game", onclick: () => send("new_game", {}, "new_game") }, say("New game"));
  const row = element("div", { class: "nambarz-row" }, setUpFields(view.set_up, send, error, memory, say), seed, deal);
  const problem = error.field === "new_game" ? errorText(error.message) : null;
  return element(
    "div",
    { class: "nambarz-head" },
    element("h2", {}, view.title, element("small", {}, ` (${view.deal})`)),
    disclosure(memory, "set-up", say("Players, cards and rules of the next new game"), row, problem),
  );
}

// --- the table ---

function othersAndMiddle(model, view, say) {
  const others = view.seats.filter(({ seat }) => seat !== view.you);
  const side = Math.floor(others.length / 4);
  const column = (name, seats) => element("div", { class: `nambarz-${name}` }, seats.map((seat) => seatTile(model, seat, say)));
  return element(
    "section",
    { class: `nambarz-felt${others.length > 6 ? " nambarz-full" : ""}`, "aria-label": say("Table") },
    column("left", others.slice(0, side)),
    column("across", others.slice(side, others.length - side)),
    column("right", others.slice(others.length - side)),
    middle(model, view, say),
  );
}

function seatTile(model, seat, say) {
  const backs = Array.from({ length: Math.min(seat.cards, MOST_BACKS) }, () => cardPicture(model, FACE_DOWN, { alt: "", class: "nambarz-back" }));
  const held = seat.dealt ? seat.held : say("not in this round");
  return element(
    "div",
    { class: `nambarz-seat${seat.place ? " nambarz-finished" : ""}`, role: "group", "aria-label": `${seat.name}, ${seat.player}` },
    element("p", { class: "nambarz-who" }, `${seat.name} `, element("span", {}, [seat.player, seat.team].filter(Boolean).join(", "))),
    element("p", { class: "nambarz-held" }, element("span", { class: "nambarz-fan", "aria-hidden": "true" }, backs), seat.place ? `✓ ${say("place {place}", seat)}` : held),
    element("p", { class: "nambarz-score" }, seat.score),
    seat.last ? element("p", { class: "nambarz-last", title: seat.last }, seat.last) : null,
  );
}

function middle(model, view, say) {
  const card = view.active.name;
  const active = element(
    "figure",
    { class: "nambarz-active" },
    view.covered ? cardPicture(model, view.covered, { alt: "", class: "nambarz-card nambarz-covered" }) : null,
    cardPicture(model, view.active, { alt: "" }),
    element("figcaption", { "data-announce": "active" }, view.covered ? say("{card} lies open on {covered}", { card, covered: view.covered.name }) : say("To cover: {card}", { card })),
  );
  const pile = element(
    "figure",
    { class: "nambarz-pile" },
    cardPicture(model, FACE_DOWN, { alt: "" }),
    element("figcaption", {}, view.pile_held),
  );
  return element("div", { class: "nambarz-middle" }, active, pile);
}

// --- the own turn ---

function ownTurn(model, view, send, error, memory, say) {
  const you = view.seats[view.you];
  const lay = (event) => {
    event.preventDefault();
    clearTimeout(memory.typing);
    send("lay", attemptOf(view, memory), "lay");
  };
  return element(
    "section",
    { class: "nambarz-turn", "aria-label": say("Your hand") },
    statusLine(view),
    element("h3", { "data-announce": "turn" }, view.turn),
    element("p", { class: "nambarz-score" }, say("You (seat {seat}): {held}, {score}", you)),
    element("div", { class: "nambarz-cards" }, view.hand.map((card, place) => handCard(model, view, card, place, send, memory, say))),
    element("form", { onsubmit: lay }, calculationLine(view, send, memory, lay, say), acts(view, send, say)),
    error.field === "lay" && memory.seen !== error ? errorText(error.message) : null,
    hints(model, view, send, error, memory, say),
  );
}

function statusLine(view) {
  const { state, text } = view.status;
  if (!text) return null;
  const mark = { legal: "✓ ", fault: "✗ " }[state] || "";
  return element("p", { class: `nambarz-status nambarz-verdict${state ? ` nambarz-is-${state}` : ""}`, "data-announce": "status" }, mark, text);
}

function handCard(model, view, card, place, send, memory, say) {
  const order = memory.laid.indexOf(place) + 1;
  const press = () => {
    memory.laid = order ? memory.laid.filter((other) => other !== place) : [...memory.laid, place];
    memory.signs = memory.signs.slice(0, Math.max(0, memory.laid.length - 1));
    memory.text = "";
    chosen(view, send, memory);
  };
  const label = [card.name, card.drawn ? say("just drawn") : "", order ? say("laid as number {order}", { order }) : ""].filter(Boolean).join(", ");
  const button = cardButton(model, card, { pressed: order > 0, onclick: press, key: `card-${place}`, mark: order ? String(order) : "", label });
  return element("div", { class: "nambarz-held-card" }, button, card.drawn ? element("span", { class: "nambarz-drawn", "aria-hidden": "true" }, say("drawn")) : null);
}

// What is chosen is shown, and judged if hints while choosing are wanted.
function chosen(view, send, memory) {
  memory.seen = memory.error;
  memory.redraw();
  if (view.previews) send("preview", attemptOf(view, memory), "preview");
}

// The cards that are pressed with the signs between them, if all are chosen; or what is typed.
function attemptOf(view, memory) {
  if (memory.text) return { attempt: memory.text };
  const attempt = memory.laid.map((place) => view.hand[place].text).join(" ");
  const signs = Array.from({ length: Math.max(0, memory.laid.length - 1) }, (_, gap) => memory.signs[gap] || "");
  return { attempt, operations: signs.join("") || null };
}

// What cannot be done now stays within reach of the keyboard; pressed, it says why not.
function acts(view, send, say) {
  const other = ([act, label]) =>
    element("button", { type: "button", key: act, "aria-disabled": String(!view.can[act]), onclick: () => send(act, {}, "lay") }, label);
  return element(
    "div",
    { class: "nambarz-row" },
    element("button", { type: "submit", class: "nambarz-main", key: "lay", "data-next-focus": "" }, say("Lay")),
    [["draw", say("Draw")], ["keep", say("Keep")], ["lay_replay", say("Lay replay")], ["end_turn", say("End turn")]].map(other),
  );
}

function calculationLine(view, send, memory, lay, say) {
  const cards = memory.laid.map((place) => view.hand[place]);
  const withSigns = cards.length > 1 && !cards.some((card) => card.wildcard);
  const parts = cards.flatMap((card, order) => [
    order && withSigns ? signChoice(view, send, memory, order - 1, say) : order ? " " : null,
    element("b", {}, card.written),
  ]);
  const typed = element("input", {
    type: "text", autocomplete: "off", spellcheck: "false", key: "typed", size: 18, value: memory.text, placeholder: say("(10-4)/2"),
    onkeydown: (event) => event.key === "Enter" && lay(event),
    oninput: () => {
      memory.text = typed.value;
      if (memory.laid.length) Object.assign(memory, { laid: [], signs: [] });
      clearTimeout(memory.typing);
      memory.typing = setTimeout(() => chosen(view, send, memory), 300);
    },
  });
  return element(
    "div",
    { class: "nambarz-row nambarz-calculation" },
    element(
      "div",
      { class: "nambarz-chosen", role: "group", "aria-label": say("What you lay") },
      parts.length ? [parts, withSigns ? element("span", { class: "nambarz-note" }, ` ${say("worked from left to right")}`) : null] : element("span", { class: "nambarz-note" }, say("Press cards in the order you lay them,")),
    ),
    field(say("or type them"), typed),
  );
}

function signChoice(view, send, memory, gap, say) {
  const signs = [["", say("any sign")], ...view.signs];
  const select = choice(signs, memory.signs[gap] || "", (sign) => {
    memory.signs[gap] = sign;
    chosen(view, send, memory);
  }, `sign-${gap}`);
  select.setAttribute("aria-label", say("sign {number}", { number: gap + 1 }));
  return select;
}

function hints(model, view, send, error, memory, say) {
  const toggle = element("input", { type: "checkbox", checked: view.previews, key: "previews", onchange: () => send("show_previews", { shown: toggle.checked }, "hint") });
  return element(
    "div",
    { class: "nambarz-hints" },
    element(
      "div",
      { class: "nambarz-row" },
      element("button", { type: "button", key: "hint", onclick: () => send("hint", {}, "hint") }, say("Hint")),
      element("label", { class: "nambarz-box" }, toggle, ` ${say("Tell me what my cards would do before I lay them")}`),
    ),
    view.hint ? element("p", { "data-announce": "hint" }, view.hint) : null,
    view.verdict && (memory.laid.length || memory.text)
      ? element("div", { "data-announce": "preview" }, element("p", { class: "nambarz-note" }, say("If you lay this:")), verdictBox(model, view.verdict, say))
      : null,
    ["hint", "preview"].includes(error.field) ? errorText(error.message) : null,
  );
}

// --- the score sheet ---

function scoreSheet(view, send, error, say) {
  const cell = (text) => element("td", {}, text);
  const row = (line) =>
    element(
      "tr",
      { class: line.own ? "nambarz-own" : null },
      cell(line.place),
      element("th", { scope: "row" }, line.player),
      line.cells.map(cell),
    );
  const heads = [say("Place"), say("Player"), say("Points"), say("Master strokes"), say("Cards left"), say("Total")];
  return element(
    "section",
    { class: "nambarz-sheet" },
    view.status.state ? statusLine(view) : null,
    element(
      "table",
      {},
      element("caption", { "data-announce": "sheet" }, say("The round is over: score sheet")),
      element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, view.sheet_rows.map(row)),
    ),
    element("button", { type: "button", class: "nambarz-main", key: "next_round", "data-next-focus": "", onclick: () => send("next_round", {}, "next_round") }, view.next),
    error.field === "next_round" ? errorText(error.message) : null,
  );
}

export default { render };
