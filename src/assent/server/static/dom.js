/* Elements. INVARIANT: text becomes a text node, never markup; no attribute takes script or style. */

const SVG = "http://www.w3.org/2000/svg";
const PLAIN = new Set([
  "id",
  "type",
  "name",
  "value",
  "href",
  "rel",
  "role",
  "rows",
  "placeholder",
  "tabindex",
  "target",
  "for",
  "title",
  "src",
  "alt",
  "width",
  "height",
  "maxlength",
  "spellcheck",
  "autocomplete",
  "autocapitalize",
  "open",
]);

/** h("p", {class: "small", onclick: f, "aria-label": "x"}, "text", child, [more], null) */
export function h(tag, props, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) put(made, name, value);
  add(made, children);
  return made;
}

function put(made, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name === "class") made.className = value;
  else if (name.startsWith("on") && typeof value === "function") made.addEventListener(name.slice(2), value);
  else if (name.startsWith("data-") || name.startsWith("aria-") || PLAIN.has(name))
    made.setAttribute(name, String(value));
  else if (["checked", "disabled", "hidden", "autofocus"].includes(name)) made[name] = true;
  else throw new Error(`unknown property ${name}`);
}

function add(made, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(made, child);
    else if (child !== null && child !== undefined && child !== false && child !== "") made.append(child);
  }
}

export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const ICONS = {
  inbox:
    "M3.5 13.5h4l1.5 2.5h6l1.5-2.5h4M3.5 13.5v5a1.5 1.5 0 0 0 1.5 1.5h14a1.5 1.5 0 0 0 1.5-1.5v-5M3.5 13.5L6 5h12l2.5 8.5",
  history: "M12 7.5V12l3 2M4.2 9.5A8.3 8.3 0 1 1 3.8 13M4 5v4.5h4.5",
  grants: "M14.5 9.5a4.5 4.5 0 1 1-1.3-3.2 4.5 4.5 0 0 1 1.3 3.2zM13.4 12.6L20 19.2M17 16.2l2-2",
  sessions: "M4 5.5h16v10H4zM9 19.5h6M12 15.5v4M7.5 9l2 1.7-2 1.7M12 12.5h3",
  audit: "M6 3.5h9l4 4v13H6zM14.5 3.5v4.5H19M9 12h7M9 15.5h7",
  explain: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM9.6 9.4a2.5 2.5 0 1 1 3.4 2.4c-.7.3-1 .8-1 1.6M12 16.6v.1",
  back: "M14.5 6l-6 6 6 6",
  theme: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 3.5v17",
  tab: "M4 8.5h16M4 5h16v14H4zM12 11.5v5M9.5 14h5",
  keys: "M3.5 6.5h17v11h-17zM7 10h.1M10.5 10h.1M14 10h.1M17 10h.1M8 14h8",
  done: "M4.5 12.5l5 5 10-11",
  chain: "M9.8 14.2l4.4-4.4M8 11l-2.3 2.3a3.5 3.5 0 0 0 5 5L13 16M16 13l2.3-2.3a3.5 3.5 0 0 0-5-5L11 8",
};

export function icon(name) {
  return drawn(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    drawn("path", { d: ICONS[name] }),
  );
}

const SHAPES = {
  high: "M6 .8L11.6 11H.4z",
  medium: "M6 .4L11.6 6 6 11.6.4 6z",
  low: "M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1z",
};
const NAMES = { high: "High danger", medium: "Medium danger", low: "Low danger" };

export function danger(level) {
  const shape = drawn(
    "svg",
    { viewBox: "0 0 12 12", "aria-hidden": "true" },
    drawn("path", { d: SHAPES[level] || SHAPES.high }),
  );
  return h("span", { class: "danger", "data-danger": level }, shape, NAMES[level] || level);
}

/** A ring that empties; `turn(ring, 0.4)` sets how much is left. */
export function ring() {
  const circle = (name) => drawn("circle", { cx: 10, cy: 10, r: 8, pathLength: 100, class: name });
  return drawn("svg", { viewBox: "0 0 20 20", class: "ring", "aria-hidden": "true" }, circle("all"), circle("left"));
}

export function turn(made, left) {
  made.lastChild.setAttribute("stroke-dashoffset", String(100 - Math.max(0, Math.min(1, left)) * 100));
}

/** Safe text from the server as nodes: what it wrote out (\u{202e}, ‹300 blanks›) is set apart. */
export function text(value) {
  const nodes = [];
  for (const piece of String(value ?? "").split(/(\\u\{[0-9a-f]{1,6}\}|‹[^‹›]{1,300}›)/)) {
    if (piece.startsWith("\\u{")) nodes.push(h("span", { class: "odd" }, piece));
    else if (piece.startsWith("‹")) nodes.push(h("span", { class: "count" }, piece));
    else if (piece) nodes.push(h("bdi", {}, piece));
  }
  return nodes;
}

/** A sentence of the server: what it quotes in backticks is code, and it begins with a capital letter. */
export function words(value) {
  const said = String(value ?? "");
  return (/^[a-z]/.test(said) ? said[0].toUpperCase() + said.slice(1) : said)
    .split(/(`[^`]+`)/)
    .map((piece) =>
      piece.length > 2 && piece.startsWith("`") && piece.endsWith("`")
        ? h("code", {}, text(piece.slice(1, -1)))
        : text(piece),
    );
}

export function fragments(list) {
  return list.map(([piece, kind]) => (kind === "plain" ? h("bdi", {}, piece) : h("span", { class: kind }, piece)));
}

export function toast(said, bad = false) {
  const made = h("div", { class: bad ? "toast bad" : "toast" }, text(said));
  document.getElementById("toasts").append(made);
  setTimeout(() => made.remove(), bad ? 7000 : 4000);
}

/** Say at the button of a key whether it waits for Enter. Only the outline changes: nothing may move. */
export function waitForEnter(bar, key, on) {
  const button = bar.querySelector(`[aria-keyshortcuts="${key}"]`);
  if (button) button.classList.toggle("armed", on);
  document.getElementById("armed")?.remove();
  if (!on) return;
  const made = h("div", { class: "toast", id: "armed" }, "Press Enter to confirm. Any other key cancels.");
  document.getElementById("toasts").append(made);
}
