/* The frame: which page is open, the navigation beside it, the title of the tab, light and dark. */

import { get, onLost, post, signedIn } from "./api.js";
import { help } from "./dialogs.js";
import { fill, h, icon, toast } from "./dom.js";
import { bind, listenToKeys } from "./keys.js";
import * as live from "./live.js";
import { stir } from "./settle.js";
import * as audit from "./audit.js";
import * as explain from "./explain.js";
import * as grants from "./grants.js";
import * as history_ from "./history.js";
import * as inbox from "./inbox.js";
import * as login from "./login.js";
import * as longer from "./longer.js";
import * as request from "./request.js";
import * as sessions from "./sessions.js";
import { chosen, next, paint } from "./theme.js";

const PAGES = [
  ["/", "Inbox", "inbox", inbox],
  ["/history", "History", "history", history_],
  ["/grants", "Grants", "grants", grants],
  ["/sessions", "Sessions", "sessions", sessions],
  ["/audit", "Audit", "audit", audit],
  ["/explain", "Explain", "explain", explain],
];
const page = document.getElementById("page");
const side = document.getElementById("side");
let current = null;
let wanted = 0;
let suggestions = 0;

export function go(path, replace = false) {
  if (path !== location.pathname + location.search) history[replace ? "replaceState" : "pushState"](null, "", path);
  return open();
}

function route(path) {
  const asked = path.match(/^\/requests\/([^/]+)(\/more)?$/);
  if (asked)
    return {
      name: "Request",
      module: asked[2] ? longer : request,
      id: decodeURIComponent(asked[1]),
      nav: "/",
      asking: true,
    };
  const [href, name, , module] = PAGES.find(([known]) => known === path) || PAGES[0];
  return { name, module, nav: href };
}

async function open() {
  const turn = ++wanted;
  if (current && current.close) current.close();
  current = null;
  stir();
  bind({});
  if (location.pathname === "/login" || !signedIn()) return signIn();
  const there = route(location.pathname);
  document.body.classList.toggle("asking", Boolean(there.asking));
  document.getElementById("frame").classList.remove("bare");
  side.hidden = false;
  live.start();
  navigate(there.nav);
  const root = h("div", { class: "column" });
  let made;
  try {
    made = await there.module.open(root, { ...there, go });
  } catch (error) {
    fill(root, h("div", { class: "empty" }, h("h2", {}, error.message), h("p", {}, error.help || "")));
    made = {};
  }
  if (turn !== wanted) {
    if (made && made.close) made.close();
    return;
  }
  current = made || {};
  current.name = current.name || there.name;
  fill(page, root, there.asking ? null : phoneFoot());
  page.dataset.path = location.pathname;
  bind(current.keys);
  title();
  window.scrollTo(0, 0);
  if (current.shown) current.shown();
  else page.focus({ preventScroll: true });
  stir();
}

async function signIn() {
  live.stop();
  side.hidden = true;
  document.body.classList.remove("asking");
  document.getElementById("frame").classList.add("bare");
  document.title = "Sign in · Assent";
  const root = h("div", {});
  fill(page, root);
  const next_ = await login.open(root);
  if (next_) go(next_, true);
}

function navigate(at) {
  const links = PAGES.map(([href, name, image]) =>
    h("a", { href, "aria-current": at === href ? "page" : null }, icon(image), name, badge(href)),
  );
  const foot = h(
    "div",
    { class: "side-foot" },
    h("button", { type: "button", onclick: () => openTab("/") }, icon("tab"), "Open another tab"),
    h("button", { type: "button", onclick: switchTheme, id: "theme" }, icon("theme"), `Theme: ${chosen()}`),
    h("button", { type: "button", onclick: help }, icon("keys"), "Keyboard", h("kbd", {}, "?")),
    h("div", { class: "wire", id: "wire" }),
  );
  fill(
    side,
    h("a", { class: "brand", href: "/" }, h("img", { src: "/static/favicon.svg", alt: "" }), "Assent"),
    h("nav", { class: "nav", "aria-label": "Pages" }, links),
    foot,
  );
  connection();
}

function phoneFoot() {
  return h(
    "footer",
    { class: "phone-foot" },
    h("button", { type: "button", class: "button plain little", onclick: switchTheme }, "Light or dark"),
    h("button", { type: "button", class: "button plain little", onclick: () => openTab("/") }, "Open another tab"),
  );
}

function badge(href) {
  if (href === "/")
    return h(
      "span",
      { class: "badge", id: "count", "aria-label": "waiting", hidden: !live.count() },
      String(live.count()),
    );
  if (href === "/sessions" && suggestions) return h("span", { class: "badge quiet" }, String(suggestions));
  return null;
}

function switchTheme() {
  next();
  fill(document.getElementById("theme"), icon("theme"), `Theme: ${chosen()}`);
}

function connection() {
  const made = document.getElementById("wire");
  if (!made) return;
  made.dataset.state = live.wireState();
  made.textContent = { live: "Live", lost: "Connection lost, trying again", starting: "Connecting" }[live.wireState()];
}

function title() {
  const count = live.count();
  document.title = `${count ? `(${count}) ` : ""}${(current && current.name) || "Inbox"} · Assent`;
  const badge_ = document.getElementById("count");
  if (badge_) {
    badge_.textContent = String(count);
    badge_.hidden = !count;
  }
  favicon(count);
}

let drawn = -1;
function favicon(count) {
  if (drawn === count) return;
  drawn = count;
  const tick =
    '<path d="M9 16.5l4.8 4.8L23.5 11" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/>';
  const number = `<text x="16" y="23" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="20" fill="#fff">${count > 9 ? "9+" : Number(count)}</text>`;
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${count ? "#b4530a" : "#15604a"}"/>${count ? number : tick}</svg>`;
  document.getElementById("favicon").href = `data:image/svg+xml,${encodeURIComponent(image)}`;
}

/** Another tab needs a key of its own: it gets a fresh one-time code, and where to go. */
async function openTab(path) {
  try {
    const made = await post("/api/link");
    window.open(made.path + path, "_blank", "noopener");
  } catch (error) {
    toast(error.message, true);
  }
}

function followLinks(event) {
  const link = event.target.closest && event.target.closest("a[href^='/']");
  if (!link || event.defaultPrevented || event.button > 1) return;
  event.preventDefault();
  if (event.button === 1 || event.ctrlKey || event.metaKey) openTab(link.getAttribute("href"));
  else go(link.getAttribute("href"));
}

async function countSuggestions() {
  if (!signedIn()) return;
  const found = await get("/api/sessions").catch(() => ({ sessions: [] }));
  const before = suggestions;
  suggestions = found.sessions.filter((one) => one.suggests).length;
  if (before !== suggestions && signedIn()) navigate(route(location.pathname).nav);
}

let toldTyping = -Infinity;
/** Somebody types where keys answer: say once that nothing was answered. */
function sayTyping() {
  if (!document.body.classList.contains("asking") || performance.now() - toldTyping < 5000) return;
  toldTyping = performance.now();
  toast("Nothing is answered by what you type. Enter clears it; then press one letter and Enter");
}

paint();
onLost(() => open());
live.listen((changed) => {
  title();
  connection();
  if (changed.some((row) => row.state === "denied" || row.state === "approved")) countSuggestions();
});
document.addEventListener("click", followLinks);
document.addEventListener("auxclick", followLinks);
window.addEventListener("popstate", () => open());
window.addEventListener("assent-sessions", countSuggestions);
window.addEventListener("assent-writing", sayTyping);
listenToKeys(go);
open().then(countSuggestions);
