/* The inbox: what waits, oldest first. Rows keep their place; what leaves becomes a note where it stood. */

import { post } from "./api.js";
import { dialog } from "./dialogs.js";
import { danger, fill, h, icon, text, toast } from "./dom.js";
import { ago, count, ended, left } from "./format.js";
import * as live from "./live.js";
import { deliberate, stir } from "./settle.js";

const LEAVES_AFTER = 8000;

export async function open(root, { go }) {
  const rows = new Map();
  const checked = new Map();
  const list = h("ul", { class: "rows", "aria-label": "Waiting for an answer" });
  const said = h("p", {});
  const bulk = h("div", { class: "bulk", role: "group", "aria-label": "Checked requests", hidden: true });
  const empty = h(
    "div",
    { class: "empty", hidden: true },
    icon("done"),
    h("h2", {}, "Nothing waits for you"),
    h("p", {}, "When an agent wants to do something that needs a person, it appears here at once."),
  );
  const further = h("button", { type: "button", class: "button", hidden: true, onclick: () => live.more() }, "Show more");
  live.gone.clear();
  await live.refresh();
  fill(root, h("header", { class: "head" }, h("div", {}, h("h1", {}, "Inbox"), said)), list, further, empty, bulk);

  function update() {
    for (const row of live.waiting.values()) {
      if (!rows.has(row.id)) {
        rows.set(row.id, { element: line(row, checked, changed), row });
        list.append(rows.get(row.id).element);
      }
      rows.get(row.id).row = row;
    }
    for (const [id, row] of live.gone) if (rows.has(id) && !rows.get(id).left) leave(id, row);
    const size = live.count();
    further.hidden = !live.hasMore();
    if (live.hasMore() && !live.waiting.size) live.more();
    said.textContent = size
      ? `${count(size, "request waits", "requests wait")} for an answer. Nothing happens until you give one.`
      : "";
    empty.hidden = rows.size > 0;
    changed();
    tick();
  }

  function leave(id, row) {
    const known = rows.get(id);
    checked.delete(id);
    const hadFocus = known.element.contains(document.activeElement);
    const note = h(
      "li",
      { class: "row card gone", role: "note" },
      h("span", {}, h("strong", {}, text(ended(row))), " · ", text(row.sentence)),
    );
    note.style.height = `${known.element.getBoundingClientRect().height}px`; // nothing below moves
    known.element.replaceWith(note);
    rows.set(id, { element: note, row, left: Date.now() });
    if (hadFocus) move(0);
  }

  function sweep() {
    if (list.matches(":hover") || list.contains(document.activeElement) || checked.size) return;
    for (const [id, known] of rows) {
      if (known.left && Date.now() - known.left > LEAVES_AFTER) {
        known.element.remove();
        rows.delete(id);
        stir();
      }
    }
    empty.hidden = rows.size > 0;
  }

  function tick() {
    for (const known of rows.values()) if (!known.left) countdown(known.element.querySelector(".clock"), known.row);
  }

  function changed() {
    bulk.hidden = checked.size === 0;
    if (!checked.size) return;
    const number = String(checked.size);
    if (bulk.dataset.count === number && bulk.firstChild) return;
    bulk.dataset.count = number;
    stir();
    fill(
      bulk,
      h("span", {}, `${checked.size} checked`),
      h("button", { type: "button", class: "button plain little", onclick: clear }, "Clear"),
      h("button", { type: "button", class: "button no", onclick: deliberate(() => send(false)) }, "Deny"),
      h("button", { type: "button", class: "button yes", onclick: deliberate(confirm) }, "Approve once…"),
    );
  }

  function clear() {
    checked.clear();
    bulk.dataset.count = "";
    for (const box of list.querySelectorAll("input")) box.checked = false;
    changed();
  }

  function confirm() {
    const chosen = [...checked.keys()].map((id) => rows.get(id).row);
    const long = chosen.filter((row) => row.cut);
    if (long.length) {
      toast(
        `${count(long.length, "request is", "requests are")} too long to approve from here: open ${long.length === 1 ? "it" : "them"}`,
        true,
      );
      return;
    }
    const items = chosen.map((row) =>
      h("li", {}, danger(row.danger), h("div", {}, text(row.sentence)), h("code", { class: "mono" }, text(row.head))),
    );
    dialog(`Approve ${count(chosen.length, "request")} once?`, h("ul", { class: "listed", tabindex: "0" }, items), [
      { label: "Cancel", kind: "plain" },
      {
        label: `Approve ${chosen.length === 1 ? "it" : `these ${chosen.length}`} once`,
        kind: "yes",
        act: (close) => {
          close();
          send(true);
        },
      },
    ]);
  }

  async function send(approved) {
    const answers = [...checked].map(([id, fingerprint]) => ({ id, fingerprint }));
    clear();
    try {
      const done = await post("/api/answers", { approved, answers });
      const counts = done.results.filter((one) => one.counts).length;
      if (counts) toast(`${count(counts, "request")} ${approved ? "approved once" : "denied"}`);
      for (const one of done.results.filter((each) => !each.counts)) toast(`Does not count: ${one.error}`, true);
    } catch (error) {
      toast(error.message, true);
    }
  }

  function move(step) {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    const target =
      links[at < 0 ? (step < 0 ? links.length - 1 : 0) : Math.max(0, Math.min(links.length - 1, at + step))];
    if (target) target.focus();
  }

  function check() {
    const row = document.activeElement.closest && document.activeElement.closest(".row");
    const box = row && row.querySelector("input");
    if (box) box.click();
  }

  update();
  const stop = live.listen(update);
  const timer = setInterval(() => {
    tick();
    sweep();
  }, 500);
  return {
    name: "Inbox",
    close() {
      stop();
      clearInterval(timer);
      live.gone.clear();
    },
    keys: {
      j: () => move(1),
      k: () => move(-1),
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      x: check,
      o: () => document.activeElement.matches(".row a") && go(document.activeElement.getAttribute("href")),
    },
  };
}

function line(row, checked, changed) {
  const box = h("input", { type: "checkbox", "aria-label": `Check: ${row.sentence}` });
  box.addEventListener("change", () => {
    if (box.checked) checked.set(row.id, row.fingerprint);
    else checked.delete(row.id);
    changed();
  });
  return h(
    "li",
    { class: "row card", "data-id": row.id },
    h("label", { class: "tick" }, box),
    h(
      "div",
      {},
      h("a", { class: "title", href: `/requests/${encodeURIComponent(row.id)}` }, text(row.sentence)),
      h("code", { class: "mono" }, row.tool && h("span", { class: "muted" }, text(row.tool), "  "), text(row.head)),
      h(
        "div",
        { class: "meta" },
        danger(row.danger),
        row.undoable ? null : h("span", { class: "dot" }, "cannot be undone"),
        h("span", { class: "dot" }, text(row.agent || "an agent")),
        row.workspace && h("span", { class: "dot" }, text(row.workspace)),
        row.warned ? h("span", { class: "dot warned" }, count(row.warned, "warning")) : null,
      ),
    ),
    h("div", { class: "clock" }),
  );
}

export function countdown(element, row) {
  if (!element) return;
  const rest = row.expires_at - live.now();
  if (!row.expires_at) {
    const said = row.shown_at ? "suspended: no hurry" : "waits for its turn";
    if (element.dataset.is !== said) fill(element, h("div", {}, said), h("div", { class: "age" }));
    element.dataset.is = said;
  } else {
    if (element.dataset.is !== "open")
      fill(element, h("div", {}, h("span", { class: "numeric" }), " left"), h("div", { class: "age" }));
    element.dataset.is = "open";
    element.querySelector(".numeric").textContent = left(rest);
    element.classList.toggle("soon", rest < 30);
  }
  element.querySelector(".age").textContent = `asked ${ago(row.asked_at, live.now())}`;
}
