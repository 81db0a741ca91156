/* What waits for an answer, kept up to date by one long answer of the server. */

import { call, get, signedIn } from "./api.js";

export const waiting = new Map();
/** Those that left while somebody looked: shown as a note until the list is opened again. */
export const gone = new Map();
let skew = 0;
let version = 0;
let wire = "starting";
let running = null;
const listeners = new Set();

export const now = () => Date.now() / 1000 + skew;
export const wireState = () => wire;

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

export async function refresh() {
  const found = await get("/api/requests");
  heard(found.now);
  version = found.version;
  const before = new Map(waiting);
  waiting.clear();
  for (const row of found.requests) waiting.set(row.id, row);
  for (const [id, row] of before) if (!waiting.has(id)) gone.set(id, { ...row, state: "gone" });
  tell(found.requests);
}

export function take(rows) {
  for (const row of rows) {
    if (row.state === "pending") {
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
  if (told.requests) take(told.requests);
}

function connected(state) {
  if (wire === state) return;
  wire = state;
  tell([]);
}
