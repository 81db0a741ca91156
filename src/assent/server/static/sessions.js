/* The sessions of agents: the mode of each, and the suggestion of a looser one, which only a person accepts. */

import { get, post } from "./api.js";
import { fill, h, text, toast } from "./dom.js";
import { ago, count } from "./format.js";
import * as live from "./live.js";
import { empty, head } from "./page.js";
import { deliberate, stir } from "./settle.js";

const MODES = {
  default: ["Default", "Reads inside the project run, everything else asks."],
  plan: ["Plan", "Nothing that changes anything runs. Approvals that are not used yet do not run either."],
  full_auto: ["Full auto", "Only ask rules, built-in questions and what is not understood ask. Deny rules hold."],
};

export async function open(root) {
  const list = h("div", { class: "rows" });
  let last = "";
  fill(
    root,
    head("Sessions", "A mode says when Assent asks. It holds for one session of an agent, from the next action on."),
    list,
  );

  async function load() {
    const found = await get("/api/sessions");
    live.heard(found.now);
    const now = JSON.stringify(found.sessions);
    if (now === last) return;
    last = now;
    fill(
      list,
      found.sessions.map((session) => card(session, act)),
    );
    if (!found.sessions.length)
      fill(list, empty("sessions", "No sessions yet", "An agent's session appears here with its first action."));
    stir();
  }

  async function act(path, body, said) {
    try {
      await post(path, body);
      toast(said);
    } catch (error) {
      toast(error.message, true);
    }
    await load();
    window.dispatchEvent(new Event("assent-sessions"));
  }

  await load();
  const stop = live.listen(() => load().catch(() => {}));
  const timer = setInterval(() => load().catch(() => {}), 5000);
  return {
    close() {
      stop();
      clearInterval(timer);
    },
  };
}

function card(session, act) {
  const mode = session.mode || "";
  const choose = (name) =>
    deliberate(() =>
      act("/api/sessions/mode", { session: session.id, mode: name }, `${MODES[name][0]} from the next action on`),
    );
  const buttons = Object.entries(MODES).map(([name, [label]]) =>
    h("button", { type: "button", "aria-pressed": String(name === mode), onclick: choose(name) }, label),
  );
  return h(
    "section",
    { class: "card session" },
    h(
      "header",
      {},
      h("strong", {}, text(session.shown_agent || "an agent")),
      h(
        "span",
        { class: "meta" },
        h("span", {}, "session ", text(session.shown_id)),
        h("span", { class: "dot" }, session.seen_at ? `seen ${ago(session.seen_at, live.now())}` : "not seen yet"),
        session.total ? h("span", { class: "dot" }, count(session.total, "denial")) : null,
        session.waiting ? h("a", { class: "dot warned", href: "/" }, `${session.waiting} waiting`) : null,
      ),
    ),
    h("div", { class: "segments", role: "group", "aria-label": "Mode" }, buttons),
    h(
      "p",
      { class: "means" },
      mode ? MODES[mode][1] : "No mode was chosen for this session: the mode of the policy holds.",
    ),
    session.suggests
      ? h(
          "div",
          { class: "suggest" },
          h(
            "p",
            {},
            `You denied ${count(session.consecutive, "request")} in a row. If these questions only disturb you, the session could run in full auto. Deny rules still hold.`,
          ),
          h(
            "button",
            {
              type: "button",
              class: "button little",
              onclick: deliberate(() => act("/api/sessions/not-now", { session: session.id }, "Not now")),
            },
            "Not now",
          ),
          h("button", { type: "button", class: "button little", onclick: choose("full_auto") }, "Switch to full auto"),
        )
      : null,
  );
}
