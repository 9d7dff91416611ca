import {
  type DataSnapshot,
  onChildAdded,
  onChildChanged,
  onChildMoved,
  onChildRemoved,
  onValue,
  type Query,
} from 'firebase/database';
import { expect, onTestFinished } from 'vitest';
import { until } from './until.ts';

/** `[kind, key, value]`; for `added` and `moved` the key of the previous sibling follows. */
export type Event =
  | readonly ['value', string | null, unknown]
  | readonly ['changed' | 'removed', string | null, unknown]
  | readonly ['added' | 'moved', string | null, unknown, string | null];

/** Events of one set of listeners, in order. */
export interface EventLog {
  readonly events: Event[];
  readonly errors: Error[];
  /** Removes the events recorded so far. */
  clear(): void;
  /** Waits until exactly these events have been recorded. */
  untilEqual(expected: readonly Event[]): Promise<void>;
  /** Stops listening. */
  close(): void;
}

/** Records value events. */
export function recordValues(query: Query): EventLog {
  return record((log, onError) => [
    onValue(query, (snapshot) => log.push(['value', snapshot.key, snapshot.val()]), onError),
  ]);
}

/** Records the four child events. */
export function recordChildren(query: Query): EventLog {
  return record((log, onError) => childListeners(query, log, onError));
}

/** Records child events and value events in the order in which they arrive. */
export function recordAll(query: Query): EventLog {
  return record((log, onError) => [
    ...childListeners(query, log, onError),
    onValue(query, (snapshot) => log.push(['value', snapshot.key, snapshot.val()]), onError),
  ]);
}

/** Returns the value of the latest value event. Throws if no value event was recorded. */
export function latestValue(log: EventLog): unknown {
  const latest = log.events.findLast(([kind]) => kind === 'value');
  if (latest === undefined) throw new Error('No value event was recorded.');
  return latest[2];
}

/** Waits for the latest value to equal the expected one. */
export function untilValue(log: EventLog, expected: unknown): Promise<void> {
  return until(() => expect(latestValue(log)).toEqual(expected));
}

/** Returns the keys of a snapshot's children in query order. */
export function keysOf(snapshot: DataSnapshot): readonly (string | null)[] {
  const keys: (string | null)[] = [];
  snapshot.forEach((child) => void keys.push(child.key));
  return keys;
}

function childListeners(query: Query, log: Event[], onError: (error: Error) => void): (() => void)[] {
  return [
    onChildAdded(query, (s, previous) => void log.push(['added', s.key, s.val(), previous ?? null]), onError),
    onChildRemoved(query, (s) => void log.push(['removed', s.key, s.val()]), onError),
    onChildChanged(query, (s) => void log.push(['changed', s.key, s.val()]), onError),
    onChildMoved(query, (s, previous) => void log.push(['moved', s.key, s.val(), previous ?? null]), onError),
  ];
}

function record(listen: (log: Event[], onError: (error: Error) => void) => (() => void)[]): EventLog {
  const events: Event[] = [];
  const errors: Error[] = [];
  const offs = listen(events, (error) => void errors.push(error));
  const close = () => {
    for (const off of offs.splice(0)) off();
  };
  onTestFinished(close);
  return {
    events,
    errors,
    clear: () => void events.splice(0),
    untilEqual: (expected) => until(() => expect(events).toEqual(expected)),
    close,
  };
}

/** Fails the test unless a write is rejected with the error by which the SDK reports a denied write. */
export async function expectWriteDenied(write: Promise<unknown>): Promise<void> {
  await expect(write).rejects.toMatchObject({
    message: 'PERMISSION_DENIED: Permission denied',
    code: 'PERMISSION_DENIED',
  });
}

/**
 * Waits until a log has one error: the one by which the SDK reports that the rules deny listening at `path`, which has
 * no leading slash.
 */
export async function untilCancelled(log: EventLog, path: string): Promise<void> {
  await until(() =>
    expect(log.errors).toMatchObject([
      {
        message: `permission_denied at /${path}: Client doesn't have permission to access the desired data.`,
        code: 'PERMISSION_DENIED',
      },
    ]),
  );
}
