import { useEffect, useRef, useState } from 'react';
import { ApiError } from './api-error.ts';

/** How a stream of the server's is doing. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** It broke off and is begun again. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'forbidden'; readonly error: unknown };

/** How long to wait before a stream that broke off is begun again: longer each time, up to a bound. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/**
 * Follows a stream as long as the view is on the screen, and begins it again whenever it breaks off. `open` must keep its
 * identity; another one begins another stream. Without one nothing is followed.
 */
export function useStream<T>(
  open: ((signal: AbortSignal) => AsyncIterable<T>) | undefined,
  take: (event: T) => void,
): StreamState {
  const [state, setState] = useState<StreamState>({ kind: 'connecting' });
  const taker = useRef(take);
  useEffect(() => {
    taker.current = take;
  });
  useEffect(() => {
    if (open === undefined) return;
    const abort = new AbortController();
    const { signal } = abort;
    async function follow(begin: NonNullable<typeof open>): Promise<void> {
      setState({ kind: 'connecting' });
      let waitMs = FIRST_WAIT_MS;
      while (!signal.aborted) {
        try {
          for await (const event of begin(signal)) {
            if (signal.aborted) return;
            waitMs = FIRST_WAIT_MS;
            setState((before) => (before.kind === 'open' ? before : { kind: 'open' }));
            taker.current(event);
          }
        } catch (error) {
          if (signal.aborted) return;
          // Whoever must sign in again goes on afterwards.
          if (error instanceof ApiError && error.status === 403) {
            setState({ kind: 'forbidden', error });
            return;
          }
        }
        if (signal.aborted) return;
        setState({ kind: 'waiting' });
        await sleep(waitMs, signal);
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      }
    }
    void follow(open);
    return () => abort.abort();
  }, [open]);
  return state;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
