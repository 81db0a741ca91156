/* Nobody decides by accident. A click or key counts only when what it decides about has stood still for a while. A letter
   answers only with Enter behind it and nothing else in that line. No time clears a line: a sentence that somebody types
   answers nothing, wherever it begins and however slowly it is typed. */

export const SETTLE = 400;
const MODIFIERS = ["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"];
const FIELDS = "textarea, select, [contenteditable], input:not([type=checkbox]):not([type=radio])";
let moved = performance.now();
let pressed = -Infinity;
let alone = false; // whether the last key came after a quiet time, and nothing has moved since
let armed = null; // what Enter does
let spoiled = false; // whether the line holds anything but one letter that means something
let timer = 0;

const ready = () => Math.max(moved, pressed) + SETTLE;

/** Something appeared or moved: start waiting again, and forget what was not answered yet. */
export function stir() {
  moved = performance.now();
  alone = false;
  spoiled = spoiled || armed !== null;
  disarm();
  watch();
}

function watch() {
  clearTimeout(timer);
  mark();
  timer = setTimeout(mark, Math.max(0, ready() - performance.now()) + 10);
}

function mark() {
  document.body.dataset.settling = performance.now() < ready() ? "yes" : "no";
}

function disarm() {
  if (armed) armed.show(false);
  armed = null;
}

/** Every key, before anybody else hears of it. */
function hear(event) {
  if (MODIFIERS.includes(event.key)) return;
  alone = event.isTrusted && !event.repeat && !spoiled && event.timeStamp >= ready();
  pressed = event.timeStamp;
  watch();
  const elsewhere = event.ctrlKey || event.metaKey || event.altKey || inField(event);
  if (!elsewhere && (armed || spoiled)) continueLine(event);
}

const inField = (event) => Boolean(event.target.closest && event.target.closest(FIELDS));
const isText = (event) => event.key.length === 1;

/** A key behind a letter. INVARIANT: only Enter, pressed by a person, makes a letter count. */
function continueLine(event) {
  const act = armed && armed.act;
  const asks = document.body.classList.contains("asking");
  if (isText(event)) {
    if (!asks) return;
    swallow(event);
    stray(event);
  } else if (event.key === "Enter") {
    if (asks) swallow(event);
    if (event.repeat || !event.isTrusted) return;
    endLine();
    if (act) act();
  } else if (event.key === "Backspace" || event.key === "Escape") {
    if (act) swallow(event);
    endLine();
  } else {
    disarm();
  }
}

function endLine() {
  disarm();
  spoiled = false;
}

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** A letter that came too early or means nothing here: somebody writes, and every further key goes on with it. */
export function stray(event) {
  if (inField(event)) return;
  disarm();
  spoiled = true;
  window.dispatchEvent(new CustomEvent("assent-writing"));
}

/** Whether an event happened long enough after the last change on the screen and the last key. Held keys never count. */
export function settled(event) {
  if (!event.isTrusted || event.repeat) return false;
  const byKey = event.type === "keydown" || (event.detail === 0 && event.timeStamp - pressed < 1000);
  return byKey ? alone : event.timeStamp >= ready();
}

/** Do it when the next key is Enter; `show` says whether it waits for that. */
export function withEnter(act, show) {
  disarm();
  armed = { act, show };
  show(true);
}

/** A handler that is deaf while things settle. */
export function deliberate(handler) {
  return (event) => {
    if (settled(event)) handler(event);
    else event.preventDefault();
  };
}

window.addEventListener("keydown", hear, true);
document.addEventListener("visibilitychange", stir);
window.addEventListener("resize", stir);
