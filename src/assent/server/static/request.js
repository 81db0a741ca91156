/* One request and the answers to it. */

import { get, post, unsure } from "./api.js";
import { dialog } from "./dialogs.js";
import { fill, h, ring, text, toast, turn, waitForEnter } from "./dom.js";
import { back, body, top } from "./drawing.js";
import { clock, ended, left } from "./format.js";
import * as live from "./live.js";
import { deliberate, SETTLE, settled, stir, stray, withEnter } from "./settle.js";

export async function open(root, { id, go }) {
  const address = `/api/requests/${encodeURIComponent(id)}`;
  let request = await load(address);
  let busy = false;
  const bar = h("div", { class: "deciding", role: "group", "aria-label": "Your answer" });
  const place = h("span", { class: "place numeric" });
  const time = h("span", { class: "clock" });
  if (request.state === "pending") request = { ...request, ...(await post(`${address}/look`)).request };

  function draw() {
    fill(root, back(place), top(request, time), ...body(request, showAll), bar);
    answers();
    tick();
  }

  async function showAll() {
    request = { ...(await load(`${address}?whole=1`)) };
    draw();
    stir();
  }

  function answers() {
    if (request.state !== "pending") return outcome();
    const lasting = request.choices.length > 0 && request.scopes.length > 0;
    fill(
      bar,
      h(
        "div",
        {},
        button("yes", "Approve once", "y", () => answer(true), !request.complete),
        button("no", "Deny", "n", () => answer(false)),
        button("no", "Deny with reason…", "r", reason),
        h("span", { class: "apart phone-hidden" }),
        lasting
          ? button("", "Allow for longer…", "m", more)
          : h(
              "button",
              { type: "button", class: "button", disabled: true },
              request.complete ? "Only once is possible" : "Show all to approve",
            ),
      ),
    );
  }

  function outcome() {
    const next = [...live.waiting.keys()][0];
    fill(
      bar,
      h(
        "div",
        {},
        h(
          "div",
          { class: "outcome" },
          h(
            "span",
            { class: "said", "data-state": request.state },
            h("strong", {}, text(ended(request))),
            request.answer && request.answer.reason ? [": ", text(request.answer.reason)] : null,
            request.decided_at ? ` · ${clock(request.decided_at)}` : null,
          ),
          next
            ? h(
                "a",
                { class: "button", href: `/requests/${encodeURIComponent(next)}` },
                "Next request",
                h("kbd", {}, "j"),
              )
            : h("a", { class: "button", href: "/" }, "Inbox", h("kbd", {}, "Esc")),
        ),
      ),
    );
    time.hidden = true;
    place.textContent = "";
  }

  async function answer(approved, said = "") {
    if (busy || request.state !== "pending") return;
    if (approved && !request.complete) {
      toast("Show all of it first: not everything was on the screen", true);
      return;
    }
    busy = true;
    try {
      const done = await post(`${address}/answer`, { approved, fingerprint: request.fingerprint, reason: said });
      toast(approved ? "Approved once" : "Denied");
      live.take([done.request]);
    } catch (error) {
      toast(`${unsure(error) ? "It is not certain that this counted" : "Nothing was changed"}: ${error.message}`, true);
      request = await load(address).catch(() => request);
    }
    busy = false;
    answers();
    stir();
  }

  function reason() {
    const words = h("textarea", {
      class: "field",
      rows: "4",
      maxlength: "2000",
      placeholder: "What should it do instead?",
      "aria-label": "Reason",
    });
    const send = (close) => {
      close();
      answer(false, words.value.trim());
    };
    const made = dialog(
      "Deny and say why",
      [h("p", {}, "The agent is told your reason, so that it can find another way."), words],
      [
        { label: "Cancel", kind: "plain" },
        { label: "Deny", kind: "no", hint: "Ctrl Enter", act: send },
      ],
    );
    const opened = performance.now();
    const stood = (event) => event.isTrusted && !event.repeat && event.timeStamp - opened >= SETTLE;
    words.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && stood(event)) send(() => made.close());
    });
    words.focus();
  }

  const more = () => go(`/requests/${encodeURIComponent(id)}/more`);

  function step(by) {
    const ids = [...live.waiting.keys()];
    const at = ids.indexOf(id);
    const target = at < 0 ? ids[0] : ids[at + by];
    if (target && target !== id) go(`/requests/${encodeURIComponent(target)}`);
  }

  function tick() {
    if (request.state !== "pending") return;
    const ids = [...live.waiting.keys()];
    place.textContent = ids.length > 1 ? `${ids.indexOf(id) + 1} of ${ids.length} waiting` : "";
    if (!request.expires_at) {
      fill(time);
      return;
    }
    if (!time.firstChild) fill(time, ring(), h("span", {}, h("span", { class: "numeric" }), " left to answer"));
    const rest = request.expires_at - live.now();
    time.querySelector(".numeric").textContent = left(rest);
    time.classList.toggle("soon", rest < 30);
    turn(time.firstChild, rest / Math.max(1, request.expires_at - request.shown_at));
  }

  draw();
  const stop = live.listen((changed) => {
    const news = changed.find((row) => row.id === id);
    if (news && news.version !== request.version) {
      const ends = news.state !== request.state;
      request = { ...request, ...news };
      if (ends) {
        answers();
        stir();
      }
    }
    tick();
  });
  const timer = setInterval(tick, 500);
  const press = (key, act) => (event) => {
    if (request.state !== "pending") return;
    if (settled(event)) withEnter(act, (on) => waitForEnter(bar, key, on));
    else stray(event);
  };
  return {
    name: request.sentence,
    close() {
      stop();
      clearInterval(timer);
    },
    keys: {
      y: press("y", () => answer(true)),
      n: press("n", () => answer(false)),
      r: press("r", reason),
      m: press("m", () => request.choices.length && request.scopes.length && more()),
      j: () => step(1),
      k: () => step(-1),
      Escape: () => go("/"),
    },
  };
}

async function load(address) {
  const found = await get(address);
  live.heard(found.now);
  return { ...found.request, grants: found.grants };
}

function button(kind, label, key, act, disabled = false) {
  return h(
    "button",
    { type: "button", class: `button ${kind}`, "aria-keyshortcuts": key, disabled, onclick: deliberate(act) },
    label,
    h("kbd", { "aria-hidden": "true" }, key),
  );
}
