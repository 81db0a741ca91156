/* The keyboard: single letters, two-letter journeys, and nothing while somebody types. settle.js hears every key first. */

import { help, isOpen } from "./dialogs.js";
import { stray } from "./settle.js";

const JOURNEYS = { i: "/", h: "/history", g: "/grants", s: "/sessions", a: "/audit", e: "/explain" };
let page = {};
let going = 0;

export function bind(keys) {
  page = keys || {};
}

const typing = (element) =>
  element &&
  (element.matches("textarea, select, [contenteditable]") ||
    (element.matches("input") && !["checkbox", "radio"].includes(element.type)));

const isLetter = (event) => event.key.length === 1 && event.key !== " ";

export function listenToKeys(go) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isOpen()) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (going && event.timeStamp - going < 1200) {
      going = 0;
      if (JOURNEYS[event.key]) {
        event.preventDefault();
        go(JOURNEYS[event.key]);
      } else if (isLetter(event)) stray(event);
      return;
    }
    if (event.key === "g") going = event.timeStamp;
    else if (event.key === "?") help();
    else if (event.key === "/" && document.querySelector(".search")) {
      event.preventDefault();
      document.querySelector(".search").focus();
    } else if (page[event.key]) {
      event.preventDefault();
      page[event.key](event);
    } else if (isLetter(event)) stray(event);
  });
}
