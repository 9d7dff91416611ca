interface Prefetched {
  readonly answer: Promise<Response>;
  /** All of the answer, once it is there, unless it is a refusal. */
  text: string | undefined;
  readonly abort: AbortController;
  readonly atMs: number;
}

/** How long an answer may wait for whoever takes it, in milliseconds. */
const FRESH_MS = 5_000;

/** What nobody has taken yet, by address. */
const asked = new Map<string, Prefetched>();

/** Asks the server before there is a view that could: the first that asks for the same soon afterwards has this answer. */
export function prefetch(address: string, token: string | null, nowMs = performance.now()): void {
  const abort = new AbortController();
  const headers: HeadersInit = token === null ? {} : { authorization: `Bearer ${token}` };
  const one: Prefetched = { answer: readWhole(), text: undefined, abort, atMs: nowMs };
  // Whoever takes it hears of a failure.
  one.answer.catch(() => {});
  asked.set(address, one);

  async function readWhole(): Promise<Response> {
    const response = await fetch(address, { headers, signal: abort.signal });
    const text = await response.text();
    if (response.ok) one.text = text;
    return new Response(text, response);
  }
}

/** The answer that was asked for ahead, once; `signal` ends what of it has not come yet. */
export function takeAhead(address: string, signal: AbortSignal | undefined): Promise<Response> | undefined {
  const found = take(address);
  signal?.addEventListener('abort', () => found?.abort.abort(), { once: true });
  return found?.answer;
}

/** The same, as text, if all of it is there already; what is not, or is a refusal, stays for `takeAhead`. */
export function takeTextAhead(address: string): string | undefined {
  return asked.get(address)?.text === undefined ? undefined : take(address)?.text;
}

function take(address: string): Prefetched | undefined {
  const found = asked.get(address);
  asked.delete(address);
  if (found === undefined || performance.now() - found.atMs <= FRESH_MS) return found;
  found.abort.abort();
  return undefined;
}
