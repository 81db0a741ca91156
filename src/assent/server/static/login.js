/* Signing in with the one-time code of a link. The code leaves the address bar before anything else happens. */

import { keep, post, signedIn } from "./api.js";
import { fill, h } from "./dom.js";

/** Gives the path to go on to, or shows how to sign in. */
export async function open(root) {
  const [code, ...rest] = location.hash.slice(1).split("/");
  history.replaceState(null, "", location.pathname);
  if (code) {
    card(root, "Signing in…", []);
    try {
      keep((await post("/api/login", { code })).token);
      return `/${rest.join("/")}`;
    } catch (error) {
      if (signedIn()) return `/${rest.join("/")}`;
      card(root, "This link does not work any more", [h("p", {}, sentence(error.message)), ...how()]);
      return "";
    }
  }
  if (signedIn() && location.pathname === "/login") return "/";
  card(root, "Sign in to your inbox", [h("p", {}, "This tab has no key. In a terminal, ask for a link:"), command()]);
  return "";
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
const command = () => h("pre", {}, "assent serve --link");
const how = () => [h("p", {}, "A link works once, for five minutes. Ask for a new one:"), command()];

function card(root, title, body) {
  fill(
    root,
    h("div", { class: "card sign" }, h("img", { src: "/static/favicon.svg", alt: "" }), h("h1", {}, title), body),
  );
}
