/* What waits for an answer, kept up to date by one long answer of the server. */

import { call, get, signedIn } from "./api.js";

export const waiting = new Map();
/** Those that left while somebody looked: shown as a note until the list is opened again. */
export const gone = new Map();
/** How many wait, and where the next page of them begins; null when all of them are here. */
let total = 0;
let cursor = null;
let skew = 0;
let version = 0;
let wire = "starting";
let running = null;
const listeners = new Set();

export const now = () => Date.now() / 1000 + skew;
export const wireState = () => wire;
export const count = () => Math.max(total, waiting.size);
export const hasMore = () => cursor !== null;

export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(changed) {
  for (const listener of [...listeners]) listener(changed);
}

export function heard(stamp) {
  if (typeof stamp === "number") skew = stamp - Date.now() / 1000;
}

async function page(after, rows) {
  const found = await get(after ? `/api/requests?cursor=${encodeURIComponent(after)}` : "/api/requests");
  heard(found.now);
  total = found.total;
  cursor = found.next;
  for (const row of found.requests) rows.set(row.id, row);
  return found;
}

export async function refresh() {
  const before = new Map(waiting);
  const rows = new Map();
  let found = await page(null, rows);
  version = found.version;
  while (found.next && rows.size < before.size) found = await page(found.next, rows);
  waiting.clear();
  for (const [id, row] of rows) waiting.set(id, row);
  for (const [id, row] of before) if (!waiting.has(id)) gone.set(id, { ...row, state: "gone" });
  tell([...waiting.values()]);
}

export async function more() {
  if (cursor) await page(cursor, waiting);
  tell([]);
}

export function take(rows) {
  for (const row of rows) {
    if (row.state === "pending") {
      if (cursor && !waiting.has(row.id)) continue; // its place is on a page that nobody has opened
      gone.delete(row.id);
      waiting.set(row.id, row);
    } else if (waiting.delete(row.id)) {
      gone.set(row.id, row);
    }
  }
  tell(rows);
}

export function start() {
  if (running) return;
  running = new AbortController();
  follow(running.signal);
}

export function stop() {
  if (running) running.abort();
  running = null;
}

async function follow(signal) {
  let pause = 300;
  while (!signal.aborted && signedIn()) {
    try {
      await refresh();
      const answer = await call(`/api/events?after=${version}`, undefined, signal);
      pause = 300;
      await read(answer.body.getReader());
    } catch (error) {
      if (signal.aborted || error.status === 401) return;
    }
    connected("lost");
    await new Promise((go) => setTimeout(go, pause));
    pause = Math.min(pause * 2, 5000);
  }
}

async function read(reader) {
  const decoder = new TextDecoder();
  let rest = "";
  connected("live");
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = events.pop();
    events.forEach(hear);
  }
}

function hear(event) {
  const data = event.split("\n").find((line) => line.startsWith("data: "));
  if (!data) return;
  const told = JSON.parse(data.slice(6));
  heard(told.now);
  version = told.version;
  if (typeof told.total === "number") total = told.total;
  if (told.requests) take(told.requests);
}

function connected(state) {
  if (wire === state) return;
  wire = state;
  tell([]);
}
