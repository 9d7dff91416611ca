import { expect, test } from 'vitest';
import { MESSAGE_INTERVAL_MS, type StoredAlert, stepAlert } from './alert-step.ts';

const MINUTE_MS = 60_000;

/**
 * Measures a figure once a minute against a threshold of 10. Returns the minutes in which the alert sends a message,
 * and whether the message says that the alert is raised.
 */
function messagesOf(values: readonly number[]): readonly (readonly [minute: number, isRaised: boolean])[] {
  let state: StoredAlert | undefined;
  return values.flatMap((value, minute) => {
    const { after, isDue } = stepAlert(state, value, 10, minute * MINUTE_MS);
    state = after;
    return isDue && after !== undefined ? [[minute, after.isRaised] as const] : [];
  });
}

const HOUR = 60;
const repeat = (value: number, minutes: number): readonly number[] =>
  Array.from({ length: minutes }, () => value);

test.each<readonly [string, readonly number[], ReturnType<typeof messagesOf>]>([
  ['below the threshold', [0, 9, 0], []],
  ['once while it stays raised', [0, 10, ...repeat(50, 200)], [[1, true]]],
  [
    'at the end, after an hour at the earliest',
    [10, ...repeat(0, 100)],
    [
      [0, true],
      [HOUR, false],
    ],
  ],
  [
    'at once at the end of a long alert',
    [...repeat(10, 90), 0],
    [
      [0, true],
      [90, false],
    ],
  ],
  ['never for an end that did not last', [10, ...repeat(0, 20), ...repeat(10, 200)], [[0, true]]],
  ['not for a figure near the threshold', [10, 9, 10, 9, ...repeat(9, 100)], [[0, true]]],
])('[H892] an alert sends a message %s', (_what, values, messages) => {
  expect(messagesOf(values)).toEqual(messages);
});

test('[H892] a clock that goes back delays no message', () => {
  const sent = { isRaised: true, atMs: 10 * MESSAGE_INTERVAL_MS };
  const { isDue } = stepAlert({ isRaised: true, sinceMs: 0, sent }, 0, 10, MESSAGE_INTERVAL_MS);
  expect(isDue).toBe(true);
});
