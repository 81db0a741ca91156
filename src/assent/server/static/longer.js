/* Allowing for longer: how long, exactly which rule, what would be written where, and only then the button. */

import { get, post, unsure } from "./api.js";
import { fill, h, text, toast, waitForEnter } from "./dom.js";
import { clock } from "./format.js";
import * as live from "./live.js";
import { back } from "./drawing.js";
import { deliberate, settled, stir, stray, withEnter } from "./settle.js";

const NAMES = {
  "15min": ["15 minutes", "Then it asks again"],
  session: ["This session", "Ends with the agent's session"],
  project: ["This project", "Until you revoke it"],
  user: ["All projects", "Everywhere, until you revoke it"],
};

export async function open(root, { id, go }) {
  const here = `/requests/${encodeURIComponent(id)}`;
  const found = await get(`/api${here}?whole=1`);
  live.heard(found.now);
  let request = found.request;
  let scope = null;
  let choice = request.choices.length === 1 ? request.choices[0] : null;
  let busy = false;
  if (request.state !== "pending" || !request.choices.length) {
    go(here, true);
    return {};
  }
  const written = h("div", {});
  const bar = h("div", { class: "deciding", role: "group", "aria-label": "Confirm" });
  const sure = h(
    "button",
    { type: "button", class: "button yes", "aria-keyshortcuts": "y", disabled: true, onclick: deliberate(send) },
    "Allow and remember",
    h("kbd", { "aria-hidden": "true" }, "y"),
  );
  fill(
    bar,
    h(
      "div",
      {},
      sure,
      h("a", { class: "button plain", href: here }, "Back", h("kbd", { "aria-hidden": "true" }, "Esc")),
    ),
  );

  fill(
    root,
    back(null),
    h("h1", { class: "title-line" }, "Allow this for longer"),
    h("p", { class: "muted" }, text(request.sentence)),
    h(
      "section",
      { class: "block" },
      h("h2", { id: "how-long" }, "For how long"),
      h(
        "div",
        { class: "picks four", role: "radiogroup", "aria-labelledby": "how-long" },
        request.scopes.map((one) =>
          pick(
            "scope",
            false,
            () => {
              scope = one;
              preview();
            },
            h("strong", {}, NAMES[one.scope][0]),
            h("span", { class: "said" }, NAMES[one.scope][1]),
          ),
        ),
      ),
    ),
    h(
      "section",
      { class: "block" },
      h("h2", { id: "which" }, "Which rule, the narrowest first"),
      h(
        "div",
        { class: "picks", role: "radiogroup", "aria-labelledby": "which" },
        request.choices.map((one) =>
          pick(
            "choice",
            one === choice,
            () => {
              choice = one;
              preview();
            },
            rules(one),
            examples(one),
          ),
        ),
      ),
    ),
    h("section", { class: "block" }, h("h2", {}, "What will be written"), written),
    bar,
  );

  function preview() {
    const ready = Boolean(scope && choice);
    sure.disabled = !ready;
    fill(
      written,
      ready
        ? h(
            "dl",
            { class: "card written" },
            row(choice.unchanged ? "Grant" : "Rule", rules(choice)),
            row("File", h("code", {}, text(scope.file))),
            row("Holds", text(holds(scope, request))),
            row("Ends", ends(scope, choice)),
            row("Never lifts", "deny rules, the closed floor and plan mode"),
          )
        : h("p", { class: "muted small" }, "Choose how long and which rule; then you see it here, word for word."),
    );
    stir();
  }

  async function send() {
    if (busy || !scope || !choice || request.state !== "pending") return;
    busy = true;
    try {
      const done = await post(`/api${here}/answer`, {
        approved: true,
        fingerprint: request.fingerprint,
        scope: scope.scope,
        rules: choice.rules,
      });
      toast(`Allowed: ${NAMES[scope.scope][0].toLowerCase()}`);
      live.take([done.request]);
      go(here, true);
    } catch (error) {
      toast(`${unsure(error) ? "It is not certain that this counted" : "Nothing was changed"}: ${error.message}`, true);
      if (error.status === 409 || error.status === 410) go(here, true);
    }
    busy = false;
  }

  preview();
  const stop = live.listen((changed) => {
    const news = changed.find((one) => one.id === id);
    if (news && news.state !== "pending" && !busy) {
      request = { ...request, ...news };
      go(here, true);
    }
  });
  return {
    name: "Allow for longer",
    close: stop,
    keys: {
      y: (event) => (settled(event) ? withEnter(send, (on) => waitForEnter(bar, "y", on)) : stray(event)),
      Escape: () => go(here),
    },
  };
}

function ends(scope, choice) {
  if (scope.seconds) return `${clock(live.now() + scope.seconds)}, in ${Math.round(scope.seconds / 60)} minutes`;
  const first = scope.scope === "session" ? "With the session, or when" : "When";
  return `${first} you revoke it on the page Grants${choice.unchanged ? ", or when the files that define it change" : ""}`;
}

function holds(scope, request) {
  if (scope.scope === "user") return "in every project";
  const where = request.workspace ? `in ${request.workspace}` : "outside projects";
  return scope.scope === "session" ? `${where}, for session ${request.session}` : where;
}

function pick(name, checked, act, ...inside) {
  return h("label", { class: "card pick" }, h("input", { type: "radio", name, checked, onchange: act }), inside);
}

const rules = (choice) =>
  h(
    "span",
    { class: "mono" },
    choice.shown.map((rule, at) => [at ? h("br", {}) : null, text(rule)]),
  );

function examples(choice) {
  const rows = [
    ["would allow", choice.matches],
    ["would still ask", choice.not_matches],
  ].filter(([, found]) => found.length);
  return rows.length
    ? h(
        "span",
        { class: "examples" },
        rows.map(([name, found]) =>
          h(
            "div",
            {},
            h("span", { class: "muted" }, name),
            h(
              "span",
              { class: "all" },
              found.map((one) => h("code", {}, text(one))),
            ),
          ),
        ),
      )
    : null;
}

const row = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
