import { QueryClient, QueryClientProvider, type QueryKey, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { ApiError } from './client.ts';
import { type StreamState, useChanges, useStream } from './query-state.ts';

/** Starts a stream. */
type Opener = () => AsyncGenerator<string, void, undefined>;

function rejectWith(status: number): Opener {
  // biome-ignore lint/correctness/useYield: a stream without events
  return async function* reject() {
    throw new ApiError(status, 'refused');
  };
}

/** Yields one event and ends. */
async function* yieldOnce() {
  yield 'news';
}

interface ViewProps {
  open(): AsyncGenerator<string, void, undefined>;
  take(event: string): void;
  notify(state: StreamState['kind']): void;
}

function View({ open, take, notify }: ViewProps) {
  const { kind } = useStream(open, take);
  useEffect(() => {
    notify(kind);
  }, [notify, kind]);
  return kind;
}

/**
 * Mounts a view that follows a stream. The n-th start of the stream uses the n-th opener, and later starts use the last
 * one.
 */
function follow(openers: readonly Opener[]) {
  const [states, events]: [StreamState['kind'][], string[]] = [[], []];
  let starts = 0;
  function open() {
    const start = openers[Math.min(starts++, openers.length - 1)] ?? yieldOnce;
    return start();
  }
  const root = createRoot(document.createElement('div'));
  onTestFinished(() => root.unmount());
  root.render(<View open={open} take={(event) => events.push(event)} notify={(kind) => states.push(kind)} />);
  return { states, events, starts: () => starts };
}

test.each([
  ['the server does not respond', 0],
  ['the member has to sign in again', 401],
  ['the server is busy', 503],
])('[C46] a stream restarts when %s', async (_why, status) => {
  const { states, events } = follow([rejectWith(status), yieldOnce]);
  await expect.poll(() => events).toContain('news');
  expect(states).toContain('waiting');
});

test('[C46] a stream that ended restarts', async () => {
  const { events } = follow([yieldOnce]);
  await expect.poll(() => events.length).toBeGreaterThan(1);
});

test('[C46] a stream is not restarted if access is denied', async () => {
  const { states, starts } = follow([rejectWith(403)]);
  await expect.poll(() => states.at(-1)).toBe('forbidden');
  expect(starts()).toBe(1);
});

interface ChangedProps {
  readonly queryKey: QueryKey;
  read(): Promise<number>;
  hand(change: ReturnType<typeof useChanges>): void;
}

/** Shows the result of a query, and passes the function that makes a change to the test. */
function Changed({ queryKey, read, hand }: ChangedProps) {
  const change = useChanges(queryKey);
  const { data } = useQuery({ queryKey, queryFn: read });
  useEffect(() => hand(change), [hand, change]);
  return data;
}

test.each([
  ['undefined', ['account', 'p', undefined, 'u']],
  ['null', ['account', 'p', null, 'u']],
  ['an object with an undefined field', ['account', { tenant: undefined }]],
])('[C715] a change refetches a query whose key contains %s', async (_what, queryKey) => {
  const handed: ReturnType<typeof useChanges>[] = [];
  const element = document.createElement('div');
  const root = createRoot(element);
  const client = new QueryClient();
  onTestFinished(() => root.unmount());
  let reads = 0;
  const read = async () => ++reads;
  const hand = (change: ReturnType<typeof useChanges>) => void handed.push(change);
  const render = () =>
    root.render(
      <QueryClientProvider client={client}>
        <Changed queryKey={structuredClone(queryKey)} read={read} hand={hand} />
      </QueryClientProvider>,
    );
  render();
  await expect.poll(() => element.textContent).toBe('1');
  render();
  await handed[0]?.(async () => {});
  await expect.poll(() => element.textContent).toBe('2');
  await expect(handed[0]?.(() => Promise.reject(new Error('denied')))).rejects.toThrow('denied');
  await expect.poll(() => element.textContent).toBe('3');
  expect(handed).toHaveLength(1);
});
