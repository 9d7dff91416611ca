interface AskedAhead {
  readonly answer: Promise<Response>;
  readonly abort: AbortController;
  readonly atMs: number;
}

/** How long an answer may wait for whoever takes it, in milliseconds. */
const FRESH_MS = 5_000;

/** What nobody has taken yet, by address. */
const asked = new Map<string, AskedAhead>();

/** Asks the server before there is a view that could: the first that asks for the same soon afterwards has this answer. */
export function askAhead(address: string, token: string | null): void {
  const abort = new AbortController();
  const headers: HeadersInit = token === null ? {} : { authorization: `Bearer ${token}` };
  const answer = fetch(address, { headers, signal: abort.signal });
  // Whoever takes it hears of a failure.
  answer.catch(() => {});
  asked.set(address, { answer, abort, atMs: performance.now() });
}

/** The answer that was asked for ahead, once; `signal` ends what of it has not come yet. */
export function takeAhead(address: string, signal: AbortSignal | undefined): Promise<Response> | undefined {
  const found = asked.get(address);
  asked.delete(address);
  if (found === undefined || performance.now() - found.atMs > FRESH_MS) return undefined;
  signal?.addEventListener('abort', () => found.abort.abort(), { once: true });
  return found.answer;
}
