import { type QueryKey, type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, isForbidden } from './client.ts';

/** Something of the server's as a view has it by now. */
export type Loadable<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'forbidden'; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | { readonly kind: 'ready'; readonly data: T };

/** How far a query has come. What is there stays there while it is asked for again, also when that fails. */
export function loadableOf<T>({ data, error, refetch }: UseQueryResult<T>): Loadable<T> {
  return loadable(data, error, () => void refetch());
}

/** The same of what is made of one or more queries. */
export function loadable<T>(data: T | undefined, error: Error | null, retry: () => void): Loadable<T> {
  if (data !== undefined) return { kind: 'ready', data };
  if (error === null) return { kind: 'loading' };
  if (isForbidden(error)) return { kind: 'forbidden', error };
  return { kind: 'failed', error, retry };
}

/** Carries out changes of what a query shows, and asks for it again afterwards, whatever came of the change. */
export function useChanges(queryKey: QueryKey): <T>(change: () => Promise<T>) => Promise<T> {
  const client = useQueryClient();
  const hash = JSON.stringify(queryKey);
  return useCallback(
    async (change) => {
      try {
        return await change();
      } finally {
        await client.invalidateQueries({ queryKey: JSON.parse(hash) as QueryKey });
      }
    },
    [client, hash],
  );
}

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
