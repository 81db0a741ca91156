/* Talking to the server. The key lives in this tab alone and travels in a header, never in an address or a cookie. */

const NAME = "assent-key";
let key = sessionStorage.getItem(NAME) || "";
let lost = () => {};

export class Failure extends Error {
  constructor(status, body) {
    super(body.error || `the server answered ${status}`);
    this.status = status;
    this.help = body.help || "";
  }
}

/** Whether an answer may have counted although something went wrong. */
export const unsure = (error) => error.status === 0 || error.status >= 500;

export const signedIn = () => key !== "";

export function keep(token) {
  key = token;
  if (token) sessionStorage.setItem(NAME, token);
  else sessionStorage.removeItem(NAME);
}

/** What to do when the server does not know our key any more. */
export function onLost(handler) {
  lost = handler;
}

export async function call(path, body, signal) {
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  const options = {
    headers,
    signal,
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
  };
  if (body !== undefined) {
    options.method = "POST";
    options.body = JSON.stringify(body);
    headers["Content-Type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, { error: "the server cannot be reached", help: "is `assent serve` still running?" });
  }
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  if (answer.status === 401 && key && path !== "/api/login") {
    keep("");
    lost();
  }
  throw new Failure(answer.status, said);
}

export const get = async (path) => (await call(path)).json();
export const post = async (path, body = {}) => (await call(path, body)).json();

export function query(path, values) {
  const given = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}
