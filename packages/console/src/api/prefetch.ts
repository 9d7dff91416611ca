interface Prefetched {
  readonly answer: Promise<Response>;
  /** The response body, once it is complete and if the status is 2xx. */
  text: string | undefined;
  readonly abort: AbortController;
  readonly atMs: number;
}

/** How long a prefetched response may be used, in milliseconds. */
const FRESH_MS = 5_000;

/** Prefetched requests that were not used yet, by address. */
const pending = new Map<string, Prefetched>();

/**
 * Sends a request before the view that needs it exists. The next request for the same address within `FRESH_MS` uses the
 * response.
 */
export function prefetch(address: string, token: string | null, nowMs = performance.now()): void {
  const abort = new AbortController();
  const headers: HeadersInit = token === null ? {} : { authorization: `Bearer ${token}` };
  const one: Prefetched = { answer: readWhole(), text: undefined, abort, atMs: nowMs };
  // Prevents an unhandled rejection: the code that takes the response receives the error.
  one.answer.catch(() => {});
  pending.set(address, one);

  async function readWhole(): Promise<Response> {
    const response = await fetch(address, { headers, signal: abort.signal });
    const text = await response.text();
    if (response.ok) one.text = text;
    return new Response(text, response);
  }
}

/** Returns a prefetched response, once; `undefined` if there is none or it is too old. `signal` aborts the request. */
export function takePrefetched(
  address: string,
  signal: AbortSignal | undefined,
): Promise<Response> | undefined {
  const found = take(address);
  signal?.addEventListener('abort', () => found?.abort.abort(), { once: true });
  return found?.answer;
}

/** Returns the text of a prefetched 2xx response, once; `undefined` if there is none, or it is too old. A response that is
 * incomplete or has another status is kept for `takePrefetched`. */
export function takePrefetchedText(address: string): string | undefined {
  return pending.get(address)?.text === undefined ? undefined : take(address)?.text;
}

function take(address: string): Prefetched | undefined {
  const found = pending.get(address);
  pending.delete(address);
  if (found === undefined || performance.now() - found.atMs <= FRESH_MS) return found;
  found.abort.abort();
  return undefined;
}
