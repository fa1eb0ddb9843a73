// What the front ends of all widgets share. Every text is set as text, never as markup. Texts stand here in English, as
// the keys by which Python sends them in the widget's language: `say("…")`, always with the text itself in the brackets.

// Says texts in the widget's language, which `el` is marked with; `{place}` is filled with `places.place`. What Python
// did not send is said in English.
function speaker(model, el) {
  el.lang = model.get("_lang");
  const words = model.get("_words");
  return (english, places) => (words[english] ?? english).replace(/\{(\w+)\}/g, (_, place) => places[place]);
}

// An element with attributes and children; `on…` attributes are listeners, `key` keeps the focus over a redraw.
function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "key") node.dataset.key = value;
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// Ids of their own for every widget of a page.
const PAGE_PART = Math.random().toString(36).slice(2, 8);
let ids = 0;

function freshId() {
  return `nambarz-${PAGE_PART}-${++ids}`;
}

// A labelled input with its error beside it.
function field(label, input, error) {
  const id = freshId();
  input.id = id;
  const parts = [element("label", { for: id }, label), input];
  if (error) {
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", `${id}-error`);
    parts.push(errorText(error, `${id}-error`));
  }
  return element("div", { class: "nambarz-field" }, parts);
}

function errorText(message, id) {
  return element("p", { class: "nambarz-error", role: "alert", id }, "⚠ ", message);
}

// One of a few values, in a list to open.
function choice(values, chosen, onchange, key) {
  const options = values.map(([value, label]) => element("option", { value, selected: value === chosen }, label));
  const select = element("select", { key, onchange: () => onchange(select.value) }, options);
  select.value = chosen;
  return select;
}

// A picture of a card; its text alternative is its name. It is loaded only if `keepPictures` finds no loaded one.
function cardPicture(model, card, extra) {
  const image = element("img", { class: "nambarz-card", alt: card.name || card.text, "data-card": card.text, ...extra });
  queueMicrotask(() => image.replaced || (image.src = model.get("pictures")[card.text]));
  return image;
}

// A card that can be pressed; `pressed` is told to screen readers and shown by a mark, not by colour alone.
function cardButton(model, card, { pressed, onclick, key, mark, label, disabled }) {
  return element(
    "button",
    { type: "button", class: "nambarz-card-button", "aria-pressed": pressed === undefined ? null : String(pressed), onclick, key, disabled, "aria-label": label },
    cardPicture(model, card, label ? { alt: "" } : {}),
    mark ? element("span", { class: "nambarz-mark", "aria-hidden": "true" }, mark) : null,
  );
}

// A text to type with its error beside it; Enter or the button sends it. What is typed stays until it is taken: a text
// that was refused can be put right.
function textForm({ label, name, value, act, parameter, button, send, error, memory, ...attributes }) {
  const draft = memory.drafts[name];
  const keep = draft && draft.base === value && (!draft.sent || error.field === name);
  const input = element("input", {
    type: "text", autocomplete: "off", spellcheck: "false", key: `type-${name}`, ...attributes,
    value: keep ? draft.text : value,
    oninput: () => (memory.drafts[name] = { text: input.value, base: value }),
    onkeydown: (event) => event.key === "Enter" && submit(event), // notebooks keep Enter from sending forms
  });
  const submit = (event) => {
    event.preventDefault();
    memory.drafts[name] = { text: input.value, base: value, sent: true };
    send(act, { [parameter]: input.value }, name);
  };
  const labelled = field(label, input, error.field === name ? error.message : "");
  input.after(element("button", { type: "submit", key: `send-${name}` }, button));
  return element("form", { class: "nambarz-form", onsubmit: submit }, labelled);
}

// A part to open and close that stays so when the view changes. Content given as a function is drawn when it is open.
function disclosure(memory, name, summary, ...content) {
  const details = element("details", { open: Boolean(memory.open[name]), "data-name": name }, element("summary", { key: `open-${name}` }, summary));
  const fill = () => {
    if (details.childElementCount > 1) return;
    details.append(...element("div", {}, content.map((part) => (typeof part === "function" ? part() : part))).childNodes);
  };
  if (details.open) fill();
  details.addEventListener("toggle", () => {
    memory.open[name] = details.open;
    if (details.open) fill();
  });
  return details;
}

// A verdict as `panel.shown_verdict` gives it; `pressBetter(cards)`, if given, shows the better play.
function verdictBox(model, verdict, say, pressBetter) {
  const row = (term, ...what) => element("div", {}, element("dt", {}, term), element("dd", {}, what));
  const cards = (list) => list.map((card) => cardPicture(model, card));
  return element(
    "div",
    { class: `nambarz-verdict nambarz-is-${verdict.state}` },
    element("p", { class: "nambarz-ruling" }, verdict.ruling),
    element("p", {}, verdict.explanation),
    element(
      "dl",
      {},
      verdict.laid.length ? row(say("Laid"), cards(verdict.laid)) : null,
      verdict.returned.length ? row(say("Back to the hand"), cards(verdict.returned)) : null,
      verdict.penalty ? row(say("Penalty"), verdict.penalty) : null,
      verdict.bonus ? row(say("Master stroke"), element("span", { class: "nambarz-stroke" }, `★ ${verdict.bonus}`)) : null,
      verdict.better
        ? row(
            say("A better play"),
            pressBetter
              ? element("button", { type: "button", key: "better", onclick: () => pressBetter(verdict.better.cards) }, verdict.better.text)
              : verdict.better.text,
          )
        : null,
    ),
  );
}

// The card to cover, and a list to choose it from.
function activeCard({ view, send, error, model, say }) {
  const { active } = view;
  const known = view.actives.map((card) => [card.text, card.name]);
  return element(
    "section",
    { class: "nambarz-active-card", "aria-label": say("Active card") },
    element("h2", {}, active.open ? say("Open wildcard") : say("Active card")),
    cardPicture(model, active),
    field(say("Choose it"), choice(known, active.text, (text) => send("set_active", { text }, "active"), "active"), error.field === "active" ? error.message : ""),
  );
}

// A field whose change asks for `choose`; a value that was refused stays in it, beside the reason.
function changeField({ label, name, value, send, error, memory, ...attributes }) {
  const draft = memory.drafts[name];
  const refused = error.field === name;
  const input = element("input", {
    onkeydown: (event) => event.key === "Enter" && input.dispatchEvent(new Event("change")),
    type: "text", autocomplete: "off", spellcheck: "false", key: name, ...attributes,
    value: draft && draft.base === value && refused ? draft.text : value,
    onchange: () => {
      memory.drafts[name] = { text: input.value, base: value };
      send("choose", { [name]: input.value }, name);
    },
  });
  return field(label, input, refused ? error.message : "");
}

// Players, wildcards, operations and strategies, as `panel.SetUp` shows them; every change asks for `choose`.
function setUpFields(setUp, send, error, memory, say) {
  return [
    playersField(setUp, send, error, say),
    wildcardsField(setUp, send, error, memory, say),
    operationsField(setUp, send, error, say),
    strategiesFields(setUp, send, error, memory, say),
  ];
}

// A slider asks when it rests, not at every step on its way.
function playersField(setUp, send, error, say) {
  const shown = element("output", { class: "nambarz-number" }, String(setUp.players));
  let resting = null;
  const slider = element("input", {
    type: "range", min: setUp.fewest, max: setUp.most, step: 1, value: setUp.players, key: "players",
    oninput: () => {
      shown.textContent = slider.value;
      clearTimeout(resting);
      resting = setTimeout(() => send("choose", { players: Number(slider.value) }, "players"), 200);
    },
  });
  const labelled = field(say("Players"), slider, error.field === "players" ? error.message : "");
  slider.after(shown);
  return labelled;
}

function wildcardsField(setUp, send, error, memory, say) {
  const known = freshId();
  const { wildcards: value } = setUp;
  const options = setUp.levels.map(([level, label]) => element("option", { value: level }, label));
  const labelled = changeField({ label: say("Wildcards (level, or a number)"), name: "wildcards", value, list: known, send, error, memory });
  labelled.append(element("datalist", { id: known }, options));
  return labelled;
}

function operationsField(setUp, send, error, say) {
  const names = { "+": say("addition"), "-": say("subtraction"), "*": say("multiplication"), "/": say("division") };
  const box = ([operation, sign]) => {
    const others = setUp.operations.replace(operation, "");
    const allowed = setUp.operations.includes(operation);
    const change = () => send("choose", { operations: allowed ? others : others + operation }, "operations");
    const named = { "aria-label": names[operation], key: `operation-${operation}` };
    const input = element("input", { type: "checkbox", checked: allowed, onchange: change, ...named });
    return element("label", { class: "nambarz-box" }, input, ` ${sign}`);
  };
  return element(
    "fieldset",
    { class: "nambarz-field" },
    element("legend", {}, say("Operations")),
    setUp.signs.map(box),
    error.field === "operations" ? errorText(error.message) : null,
  );
}

// The operations of the game in a row of signs.
function signsAllowed(rules) {
  return rules.signs.filter(([operation]) => rules.operations.includes(operation)).map(([, sign]) => sign).join(" ");
}

function strategiesFields(setUp, send, error, memory, say) {
  const { strategies, known, seats } = setUp;
  const names = known.map((name) => [name, name]);
  const each = strategies.length > 1;
  const all = choice(
    [...names, ...(seats.length > 1 ? [["", say("each its own")]] : [])],
    each ? "" : strategies[0],
    (name) => send("choose", { strategies: name || seats.map(() => strategies[0]) }, "strategies"),
    "strategies",
  );
  const label = seats.length > 1 ? say("Computer players") : say("Computer player");
  const one = (seat, index) => {
    const change = (name) => send("choose", { strategies: strategies.map((old, place) => (place === index ? name : old)) }, "strategies");
    return field(seat, choice(names, strategies[index], change, `strategy-${index}`));
  };
  return [field(label, all, error.field === "strategies" ? error.message : ""), each ? seats.map(one) : null];
}

// A part that is built anew only when what it shows has changed; `build(data)` must depend on nothing else, but for
// drafts: a part with fields has `memory.asked` in its data, so that a field goes back to what holds when it was answered.
function unchanged(memory, name, data, build) {
  const text = JSON.stringify(data);
  if (!memory.parts[name] || memory.parts[name].text !== text) memory.parts[name] = { text, node: build(data) };
  return memory.parts[name].node;
}

// Puts the pictures that are loaded in the place of new ones: nothing flickers, and a redraw is quick.
function keepPictures(before, parts) {
  const loaded = new Map();
  for (const image of before.querySelectorAll("img[data-card]")) loaded.set(image.dataset.card, [...(loaded.get(image.dataset.card) || []), image]);
  for (const image of parts.flatMap((part) => [...part.querySelectorAll("img[data-card]")])) {
    const old = (loaded.get(image.dataset.card) || []).shift();
    if (!old) continue;
    for (const { name } of [...old.attributes]) if (name !== "src" && !image.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of image.attributes) old.setAttribute(name, value);
    image.replaced = true;
    image.replaceWith(old);
  }
}

// Puts parts into a place, in order. Those that stand there already are not touched: the browser need not draw them.
function arrange(place, parts) {
  const before = [...place.childNodes];
  const fresh = parts.filter((part) => !before.includes(part));
  for (const part of before.filter((each) => !parts.includes(each))) {
    keepPictures(part, fresh);
    part.remove();
  }
  parts.forEach((part, index) => part === place.childNodes[index] || place.insertBefore(part, place.childNodes[index] || null));
  return place;
}

// Draws `model.view` into `el` with `draw(view, send, error, memory, say)` whenever it changes, and keeps the keyboard's
// focus. `send(act, values, field)` asks Python for an act; how long the last answer took stands in data-milliseconds.
// `memory` is what only this front end knows; `memory.redraw` shows a change of it, and `memory.asked` counts what its
// fields asked for. Where the element with the focus is
// gone, one with data-next-focus gets it. Elements with data-announce="name" are read out when their text changes.
function mount(model, el, draw, name) {
  const say = speaker(model, el);
  const root = element("div", { class: `nambarz ${name || ""}`, "data-busy": say("working …") });
  const voice = element("div", { class: "nambarz-voice", role: "status", "aria-live": "polite" });
  el.append(root, voice);
  const memory = { drafts: {}, open: {}, parts: {}, asked: 0 };
  let asked = null;
  let busy = null;
  const send = (act, values, fieldName) => {
    asked = performance.now();
    if (fieldName) memory.asked += 1;
    clearTimeout(busy);
    busy = setTimeout(() => root.setAttribute("aria-busy", "true"), 400);
    model.send({ act, values: values || {}, field: fieldName || "" });
  };
  let said = null;
  const announce = () => {
    const now = new Map([...root.querySelectorAll("[data-announce]")].map((node) => [node.dataset.announce, node.innerText]));
    const news = [...now].filter(([name, text]) => said !== null && said.get(name) !== text).map(([, text]) => text);
    if (news.length) voice.textContent = news.join(" ");
    said = now;
  };
  const drawnParts = () => {
    try {
      return [draw(model.get("view"), send, model.get("error") || {}, memory, say)].flat().filter(Boolean);
    } catch (problem) {
      console.error(problem);
      return [errorText(say("This could not be shown ({problem}). Run the cell again.", { problem: problem.message }))];
    }
  };
  const redraw = () => {
    const focused = root.contains(document.activeElement) ? document.activeElement : null;
    const key = focused && focused.dataset ? focused.dataset.key : null;
    // Both ends of what is selected: who has marked a text to type over it must find it marked still.
    const marked = focused && focused.selectionStart !== undefined ? [focused.selectionStart, focused.selectionEnd] : null;
    const scrolled = [...root.querySelectorAll("[data-scroll]")].map((node) => [node.dataset.scroll, node.scrollTop]);
    arrange(root, drawnParts());
    for (const [name, top] of scrolled) {
      const node = root.querySelector(`[data-scroll="${name}"]`);
      if (node) node.scrollTop = top;
    }
    if (key) {
      const next = root.querySelector(`[data-key="${CSS.escape(key)}"]`) || root.querySelector("[data-next-focus]");
      if (next && next !== document.activeElement) {
        next.focus({ preventScroll: true });
        if (marked && next.setSelectionRange && next.type === "text") next.setSelectionRange(...marked);
      }
    }
    announce();
    if (asked !== null) {
      requestAnimationFrame(() =>
        setTimeout(() => {
          if (asked !== null) root.dataset.milliseconds = Math.round(10 * (performance.now() - asked)) / 10;
          asked = null;
        }),
      );
    }
  };
  let waiting = false; // view and error often change together: draw once
  let held = false; // a button that is being pressed must not be exchanged under the finger
  let drawn = false;
  memory.redraw = () => later();
  const later = () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(drawUnlessHeld);
  };
  const drawUnlessHeld = () => {
    if (held || !waiting) return;
    waiting = false;
    drawn = true;
    redraw();
  };
  const hold = (event) => {
    if (event.type === "pointerdown" || event.key === " ") held = true;
  };
  const release = () => {
    if (!held) return;
    setTimeout(() => {
      held = false;
      drawUnlessHeld();
    });
  };
  // An act that changed nothing or was refused like the one before is drawn too: a field goes back to what holds.
  const answered = (message) => {
    if (message.answered === undefined) return;
    clearTimeout(busy);
    root.removeAttribute("aria-busy");
    if (!drawn) later();
    drawn = false;
  };
  root.addEventListener("pointerdown", hold);
  root.addEventListener("keydown", hold);
  const releasing = ["pointerup", "pointercancel", "keyup", "blur"];
  for (const type of releasing) window.addEventListener(type, release);
  model.on("change:view", later);
  model.on("change:error", later);
  model.on("msg:custom", answered);
  redraw();
  return () => {
    for (const type of releasing) window.removeEventListener(type, release);
    model.off("change:view", later);
    model.off("change:error", later);
    model.off("msg:custom", answered);
  };
}
