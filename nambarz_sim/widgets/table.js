// The table: the others around it, the card to cover in the middle, the own hand below, and what happened.

const FACE_DOWN = { text: "face down", name: "" };
const MOST_BACKS = 7;

function render({ model, el }) {
  const board = element("div", { class: "nambarz-board" });
  const log = logBox();
  el.append(element("div", { class: "nambarz-table" }, board, log.box));
  const unmount = mount(model, board, (view, send, error, memory) => drawTable(model, view, send, error, memory));
  const tell = () => log.tell(model.get("view"));
  model.on("change:view", tell);
  tell();
  return () => {
    unmount();
    model.off("change:view", tell);
  };
}

// The log stays in place and only grows, so that screen readers read what is new.
function logBox() {
  const lines = element("div", { class: "nambarz-log", role: "log", "aria-live": "polite", "aria-label": "What happened", tabindex: "0" });
  let round = null;
  const tell = (view) => {
    if (view.round !== round) lines.replaceChildren();
    round = view.round;
    for (const { text, own } of view.log.slice(lines.childElementCount)) {
      lines.append(element("p", { class: own ? "nambarz-own" : null }, text));
    }
    lines.scrollTop = lines.scrollHeight;
  };
  return { box: element("section", { class: "nambarz nambarz-story" }, element("h3", {}, "What happened"), lines), tell };
}

function drawTable(model, view, send, error, memory) {
  memory.error = error;
  if (memory.moves !== view.moves) Object.assign(memory, { moves: view.moves, laid: [], signs: [], text: "" });
  return [
    setUpPart(view, send, error, memory),
    othersAndMiddle(model, view),
    view.sheet.length ? scoreSheet(view, send, error) : ownTurn(model, view, send, error, memory),
  ];
}

function setUpPart(view, send, error, memory) {
  const seed = changeField({ label: "Seed of the deals", name: "seed", value: view.seed, inputmode: "numeric", size: 9, send, error, memory });
  const deal = element("button", { type: "button", key: "new_game", onclick: () => send("new_game", {}, "new_game") }, "New game");
  const row = element("div", { class: "nambarz-row" }, setUpFields(view.set_up, send, error, memory), seed, deal);
  const problem = error.field === "new_game" ? errorText(error.message) : null;
  return element(
    "div",
    { class: "nambarz-head" },
    element("h2", {}, view.title, element("small", {}, ` (${view.deal})`)),
    disclosure(memory, "set-up", "Players, cards and rules of the next new game", row, problem),
  );
}

// --- the table ---

function othersAndMiddle(model, view) {
  const others = view.seats.filter(({ seat }) => seat !== view.you);
  const side = Math.floor(others.length / 4);
  const column = (name, seats) => element("div", { class: `nambarz-${name}` }, seats.map((seat) => seatTile(model, seat)));
  return element(
    "section",
    { class: `nambarz-felt${others.length > 6 ? " nambarz-full" : ""}`, "aria-label": "Table" },
    column("left", others.slice(0, side)),
    column("across", others.slice(side, others.length - side)),
    column("right", others.slice(others.length - side)),
    middle(model, view),
  );
}

function seatTile(model, seat) {
  const backs = Array.from({ length: Math.min(seat.cards, MOST_BACKS) }, () => cardPicture(model, FACE_DOWN, { alt: "", class: "nambarz-back" }));
  const held = seat.dealt ? plural(seat.cards, "card") : "not in this round";
  return element(
    "div",
    { class: `nambarz-seat${seat.place ? " nambarz-finished" : ""}`, role: "group", "aria-label": `seat ${seat.seat}, ${seat.player}` },
    element("p", { class: "nambarz-who" }, `seat ${seat.seat} `, element("span", {}, [seat.player, seat.team].filter(Boolean).join(", "))),
    element("p", { class: "nambarz-held" }, element("span", { class: "nambarz-fan", "aria-hidden": "true" }, backs), seat.place ? `✓ place ${seat.place}` : held),
    element("p", { class: "nambarz-score" }, scoreOf(seat)),
    seat.last ? element("p", { class: "nambarz-last", title: seat.last }, seat.last) : null,
  );
}

function scoreOf(seat) {
  const strokes = seat.strokes ? `, ★ ${plural(seat.strokes, "master stroke")} (${seat.bonus})` : "";
  return `${plural(seat.points, "point")}${strokes}`;
}

const plural = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

function middle(model, view) {
  const name = view.active.name;
  const active = element(
    "figure",
    { class: "nambarz-active" },
    view.covered ? cardPicture(model, view.covered, { alt: "", class: "nambarz-card nambarz-covered" }) : null,
    cardPicture(model, view.active, { alt: "" }),
    element("figcaption", { "data-announce": "active" }, view.covered ? `${name} lies open on ${view.covered.name}` : `To cover: ${name}`),
  );
  const pile = element(
    "figure",
    { class: "nambarz-pile" },
    cardPicture(model, FACE_DOWN, { alt: "" }),
    element("figcaption", {}, `Draw pile: ${plural(view.pile, "card")}`),
  );
  return element("div", { class: "nambarz-middle" }, active, pile);
}

// --- the own turn ---

function ownTurn(model, view, send, error, memory) {
  const you = view.seats[view.you];
  const lay = (event) => {
    event.preventDefault();
    clearTimeout(memory.typing);
    send("lay", attemptOf(view, memory), "lay");
  };
  return element(
    "section",
    { class: "nambarz-turn", "aria-label": "Your hand" },
    statusLine(view),
    element("h3", { "data-announce": "turn" }, view.turn),
    element("p", { class: "nambarz-score" }, `You (seat ${you.seat}): ${plural(you.cards, "card")}, ${scoreOf(you)}`),
    element("div", { class: "nambarz-cards" }, view.hand.map((card, place) => handCard(model, view, card, place, send, memory))),
    element("form", { onsubmit: lay }, calculationLine(view, send, memory, lay), acts(view, send)),
    error.field === "lay" && memory.seen !== error ? errorText(error.message) : null,
    hints(model, view, send, error, memory),
  );
}

function statusLine(view) {
  const { state, text } = view.status;
  if (!text) return null;
  const mark = { legal: "✓ ", fault: "✗ " }[state] || "";
  return element("p", { class: `nambarz-status nambarz-verdict${state ? ` nambarz-is-${state}` : ""}`, "data-announce": "status" }, mark, text);
}

function handCard(model, view, card, place, send, memory) {
  const order = memory.laid.indexOf(place) + 1;
  const press = () => {
    memory.laid = order ? memory.laid.filter((other) => other !== place) : [...memory.laid, place];
    memory.signs = memory.signs.slice(0, Math.max(0, memory.laid.length - 1));
    memory.text = "";
    chosen(view, send, memory);
  };
  const label = [card.name, card.drawn ? "just drawn" : "", order ? `laid as number ${order}` : ""].filter(Boolean).join(", ");
  const button = cardButton(model, card, { pressed: order > 0, onclick: press, key: `card-${place}`, mark: order ? String(order) : "", label });
  return element("div", { class: "nambarz-held-card" }, button, card.drawn ? element("span", { class: "nambarz-drawn", "aria-hidden": "true" }, "drawn") : null);
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
function acts(view, send) {
  const other = ([act, label]) =>
    element("button", { type: "button", key: act, "aria-disabled": String(!view.can[act]), onclick: () => send(act, {}, "lay") }, label);
  return element(
    "div",
    { class: "nambarz-row" },
    element("button", { type: "submit", class: "nambarz-main", key: "lay", "data-next-focus": "" }, "Lay"),
    [["draw", "Draw"], ["keep", "Keep"], ["lay_replay", "Lay replay"], ["end_turn", "End turn"]].map(other),
  );
}

function calculationLine(view, send, memory, lay) {
  const cards = memory.laid.map((place) => view.hand[place]);
  const withSigns = cards.length > 1 && !cards.some((card) => card.wildcard);
  const parts = cards.flatMap((card, order) => [
    order && withSigns ? signChoice(view, send, memory, order - 1) : order ? " " : null,
    element("b", {}, card.text),
  ]);
  const typed = element("input", {
    type: "text", autocomplete: "off", spellcheck: "false", key: "typed", size: 18, value: memory.text, placeholder: "(10-4)/2",
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
      { class: "nambarz-chosen", role: "group", "aria-label": "What you lay" },
      parts.length ? [parts, withSigns ? element("span", { class: "nambarz-note" }, " worked from left to right") : null] : element("span", { class: "nambarz-note" }, "Press cards in the order you lay them,"),
    ),
    field("or type them", typed),
  );
}

function signChoice(view, send, memory, gap) {
  const signs = [["", "any sign"], ...view.signs];
  const select = choice(signs, memory.signs[gap] || "", (sign) => {
    memory.signs[gap] = sign;
    chosen(view, send, memory);
  }, `sign-${gap}`);
  select.setAttribute("aria-label", `sign ${gap + 1}`);
  return select;
}

function hints(model, view, send, error, memory) {
  const toggle = element("input", { type: "checkbox", checked: view.previews, key: "previews", onchange: () => send("show_previews", { shown: toggle.checked }, "hint") });
  return element(
    "div",
    { class: "nambarz-hints" },
    element(
      "div",
      { class: "nambarz-row" },
      element("button", { type: "button", key: "hint", onclick: () => send("hint", {}, "hint") }, "Hint"),
      element("label", { class: "nambarz-box" }, toggle, " Tell me what my cards would do before I lay them"),
    ),
    view.hint ? element("p", { "data-announce": "hint" }, view.hint) : null,
    view.verdict && (memory.laid.length || memory.text)
      ? element("div", { "data-announce": "preview" }, element("p", { class: "nambarz-note" }, "If you lay this:"), verdictBox(model, view.verdict))
      : null,
    ["hint", "preview"].includes(error.field) ? errorText(error.message) : null,
  );
}

// --- the score sheet ---

function scoreSheet(view, send, error) {
  const cell = (value) => element("td", {}, String(value));
  const row = (line) =>
    element(
      "tr",
      { class: line.seat === view.you ? "nambarz-own" : null },
      cell(line.place),
      element("th", { scope: "row" }, `seat ${line.seat} (${line.player})`),
      [line.points, line.strokes ? `★ ${line.strokes} (${plural(line.bonus, "point")})` : "–", line.cards, line.total].map(cell),
    );
  const heads = ["Place", "Player", "Points", "Master strokes", "Cards left", "Total"];
  return element(
    "section",
    { class: "nambarz-sheet" },
    view.status.state ? statusLine(view) : null,
    element(
      "table",
      {},
      element("caption", { "data-announce": "sheet" }, "The round is over: score sheet"),
      element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, view.sheet.map(row)),
    ),
    element("button", { type: "button", class: "nambarz-main", key: "next_round", "data-next-focus": "", onclick: () => send("next_round", {}, "next_round") }, view.next),
    error.field === "next_round" ? errorText(error.message) : null,
  );
}

export default { render };
