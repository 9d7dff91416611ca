import { type QueryKey, replaceEqualDeep, type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, isForbidden, useConnectivity } from './client.ts';

/** Data from the server, or the reason why there is none yet. A view shows each of the four states. */
export type Loadable<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'forbidden'; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | { readonly kind: 'ready'; readonly data: T };

/** Returns the state of a query. Loaded data stays `ready` during a refetch, also if the refetch fails. */
export function loadableOf<T>({ data, error, refetch }: UseQueryResult<T>): Loadable<T> {
  return loadable(data, error, () => void refetch());
}

/** Returns the state of data that is combined from one or more queries. */
export function loadable<T>(data: T | undefined, error: Error | null, retry: () => void): Loadable<T> {
  if (data !== undefined) return { kind: 'ready', data };
  if (error === null) return { kind: 'loading' };
  if (isForbidden(error)) return { kind: 'forbidden', error };
  return { kind: 'failed', error, retry };
}

/**
 * Returns a function that makes a change and then refetches the query, also if the change fails. Keys with equal parts give the
 * same function.
 */
export function useChanges(queryKey: QueryKey): <T>(change: () => Promise<T>) => Promise<T> {
  const client = useQueryClient();
  const [last, keep] = useState(queryKey);
  // Compares the parts themselves: as JSON, `undefined` becomes `null`, which matches no query with `undefined`.
  const key = replaceEqualDeep(last, queryKey);
  if (key !== last) keep(key);
  return useCallback(
    async (change) => {
      try {
        return await change();
      } finally {
        await client.invalidateQueries({ queryKey: key });
      }
    },
    [client, key],
  );
}

/** Delay before a request is repeated that the server did not process. */
export const RETRY_MS = 1_000;

/**
 * Runs `retry` after a delay while `isWaiting` is true and the server responds, and again whenever `retry` changes. The delay
 * keeps an overloaded server from receiving the request without pause.
 */
export function useRetry(isWaiting: boolean, retry: () => void): void {
  const isOnline = useConnectivity(({ kind }) => kind === 'online');
  const isDue = isWaiting && isOnline;
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(retry, RETRY_MS);
    return () => clearTimeout(timer);
  }, [isDue, retry]);
}

/** The state of a stream. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** The stream ended; it restarts after a delay. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'forbidden'; readonly error: unknown };

/** Delay before a restart. It doubles with each restart without an event, up to `LONGEST_WAIT_MS`. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/**
 * Follows a stream while the view is mounted, and returns its state. Restarts the stream when it ends, except after status
 * 403. A new `open` function starts a new stream, so memoize `open`. Without `open`, there is no stream.
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
          // After status 401, the stream continues to restart, because the member may sign in again.
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
