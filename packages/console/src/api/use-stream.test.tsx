import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { ApiError } from './client.ts';
import { type StreamState, useStream } from './query-state.ts';

type Beginning = () => AsyncGenerator<string, void, undefined>;

function rejectWith(status: number): Beginning {
  // biome-ignore lint/correctness/useYield: a stream without events
  return async function* reject() {
    throw new ApiError(status, 'refused');
  };
}

/** A stream that yields one event and ends. */
async function* notifiesOnce() {
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

/** Follows a stream whose n-th start uses the n-th beginning; later starts use the last one. */
function follow(beginnings: readonly Beginning[]) {
  const [states, reported]: [StreamState['kind'][], string[]] = [[], []];
  let begun = 0;
  function open() {
    const begin = beginnings[Math.min(begun++, beginnings.length - 1)] ?? notifiesOnce;
    return begin();
  }
  const root = createRoot(document.createElement('div'));
  onTestFinished(() => root.unmount());
  root.render(
    <View open={open} take={(event) => reported.push(event)} notify={(kind) => states.push(kind)} />,
  );
  return { states, reported, begun: () => begun };
}

test.each([
  ['the server does not answer', 0],
  ['the member has to sign in again', 401],
  ['the server is busy', 503],
])('[C46] a stream restarts when %s', async (_why, status) => {
  const { states, reported } = follow([rejectWith(status), notifiesOnce]);
  await expect.poll(() => reported).toContain('news');
  expect(states).toContain('waiting');
});

test('[C46] a stream that ended restarts', async () => {
  const { reported } = follow([notifiesOnce]);
  await expect.poll(() => reported.length).toBeGreaterThan(1);
});

test('[C46] a stream is not restarted if access is denied', async () => {
  const { states, begun } = follow([rejectWith(403)]);
  await expect.poll(() => states.at(-1)).toBe('forbidden');
  expect(begun()).toBe(1);
});
