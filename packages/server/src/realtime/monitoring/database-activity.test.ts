import type { ActivitySample } from '@hearth/core/api/activity.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { parsePath, ROOT } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { DatabaseActivity } from './database-activity.ts';

const QUARTER_SEC = 900;
const NO_RULES = parseRules('{"rules":{}}').root;

/** Creates the activity of a database with two connections, with a watcher that collects its samples. */
function openActivity(): {
  readonly activity: DatabaseActivity;
  readonly samples: ActivitySample[];
  readonly pass: (seconds: number, hasCapacity?: boolean) => void;
} {
  const activity = new DatabaseActivity(() => 2);
  const samples: ActivitySample[] = [];
  activity.watch((sample) => samples.push(sample));
  let nowMs = 0;
  const pass = (seconds: number, hasCapacity = true): void => {
    for (let second = 0; second < seconds; second++) {
      nowMs += 1_000;
      activity.tick(nowMs, hasCapacity, () => undefined);
    }
  };
  return { activity, samples, pass };
}

test('[H436][H437] a sample describes the operations since the previous one', () => {
  const { activity, samples, pass } = openActivity();
  activity.recordRead(parsePath('a'), NO_RULES);
  activity.recordWrite([{ path: parsePath('a') }, { path: parsePath('b') }], NO_RULES);
  activity.recordDenied();
  activity.recordLatency(3);
  activity.sentBytes += 10;
  pass(1);
  activity.recordRead(parsePath('a'), NO_RULES);
  activity.receivedBytes += 5;
  pass(1);
  const nothing = {
    reads: 0,
    writes: 0,
    denied: 0,
    sentBytes: 0,
    receivedBytes: 0,
    p50Ms: null,
    p99Ms: null,
  };
  expect(samples).toEqual([
    {
      ...nothing,
      timeMs: 1_000,
      reads: 1,
      writes: 1,
      denied: 1,
      connections: 2,
      sentBytes: 10,
      p50Ms: 3.072,
      p99Ms: 3.072,
    },
    { ...nothing, timeMs: 2_000, reads: 1, connections: 2, receivedBytes: 5 },
  ]);
});

test('[H435][H438] the history has samples of 5 seconds of the last 15 minutes', () => {
  const { activity, pass } = openActivity();
  pass(10);
  expect(activity.history).toEqual([]);
  for (let second = 0; second < 2 * QUARTER_SEC; second++) {
    activity.recordRead(parsePath('a'), NO_RULES);
    activity.recordLatency(second % 5);
    pass(1);
  }
  expect(activity.history).toHaveLength(180);
  for (const sample of activity.history) expect(sample).toMatchObject({ reads: 5, p99Ms: 4.096 });
  const [first, second] = activity.history;
  expect((second?.timeMs ?? 0) - (first?.timeMs ?? 0)).toBe(5_000);
});

test('[H438] a history ends after 15 minutes without operations', () => {
  const { activity, pass } = openActivity();
  activity.recordDenied();
  pass(QUARTER_SEC);
  expect(activity.hasHistory).toBe(true);
  pass(5);
  expect([activity.hasHistory, activity.history]).toEqual([false, []]);
});

test('[H438] no history is started if there are too many already, but samples are still sent', () => {
  const { activity, samples, pass } = openActivity();
  activity.recordRead(ROOT, NO_RULES);
  pass(10, false);
  expect(activity.hasHistory).toBe(false);
  expect(samples[0]?.reads).toBe(1);
});

test('[H448] only the first 20 paths of a write are counted', () => {
  const { activity } = openActivity();
  activity.recordWrite(
    Array.from({ length: 50 }, (_, index) => ({ path: parsePath(`p${index}`) })),
    NO_RULES,
  );
  expect(activity.writes).toBe(1);
  expect(activity.hotWrites.top(100)).toHaveLength(20);
});
