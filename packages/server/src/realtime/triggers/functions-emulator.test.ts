import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN } from '../../access/principal.ts';
import { createLogger } from '../../platform/logger.ts';
import type { TriggeredEvent } from './event.ts';
import { FunctionsEmulator } from './functions-emulator.ts';
import { parseTrigger } from './trigger.ts';

const TRIGGER = parseTrigger({
  name: 'projects/demo/locations/_/functions/f',
  path: '/{any}',
  event: 'providers/google.firebase.database/eventTypes/ref.write',
});

function event(number: number, before = 'null'): TriggeredEvent {
  const path = parsePath('a');
  return {
    trigger: TRIGGER,
    database: 'db',
    path,
    identity: ADMIN,
    timeMs: 0,
    id: `${number}`,
    before,
    delta: '1',
  };
}

/**
 * Opens a client of a fake functions emulator. `acknowledge` responds to the last posted event. `posted` and
 * `urls` collect the requests.
 */
function openEmulator(address: string | null = '127.0.0.1:5001') {
  const log: string[] = [];
  const posted: string[] = [];
  const urls = new Set<string>();
  let acknowledge = (_status: number): void => {};
  const emulator = new FunctionsEmulator({
    address,
    logger: createLogger('info', { write: (line) => log.push(line) }),
    post: (url, json) => {
      urls.add(url);
      posted.push(JSON.parse(json.toString()).context.eventId);
      return new Promise((resolve) => {
        acknowledge = resolve;
      });
    },
  });
  onTestFinished(() => emulator[Symbol.dispose]());
  return {
    emulator,
    log,
    posted,
    urls,
    async acknowledge(status = 200) {
      acknowledge(status);
      await new Promise(setImmediate);
    },
  };
}

test('[H93] events are posted one after the other, in order', async () => {
  const { emulator, posted, urls, acknowledge } = openEmulator();
  emulator.receive([event(1), event(2)]);
  expect(posted).toEqual(['1']);
  await acknowledge();
  emulator.receive([event(3)]);
  await acknowledge();
  await acknowledge();
  expect(posted).toEqual(['1', '2', '3']);
  expect([...urls]).toEqual(['http://127.0.0.1:5001/functions/projects/demo/triggers/f']);
});

test('[H93] a rejected event is logged, and the next one is posted', async () => {
  const { emulator, posted, log, acknowledge } = openEmulator();
  emulator.receive([event(1), event(2)]);
  await acknowledge(500);
  expect(posted).toEqual(['1', '2']);
  expect(log.join('')).toContain('"status":500');
});

test.each<readonly [string, readonly TriggeredEvent[], number]>([
  ['more than 1000', Array.from({ length: 1_004 }, (_, at) => event(at)), 4],
  [
    'more than 32 MiB',
    Array.from({ length: 35 }, (_, at) => event(at, JSON.stringify('x'.repeat(2 ** 20)))),
    4,
  ],
])(
  '[H94] of %s waiting events, the oldest are dropped and counted in the log',
  async (_case, events, dropped) => {
    const { emulator, posted, log, acknowledge } = openEmulator();
    emulator.receive(events);
    for (let count = 0; count < events.length; count++) await acknowledge();
    expect(posted).toEqual(events.slice(dropped).map(({ id }) => id));
    expect(log).toHaveLength(2);
    expect(log[1]).toContain(`"events":${dropped}`);
  },
);

test('[H94] without a functions emulator, no event is posted', () => {
  const { emulator, posted } = openEmulator(null);
  emulator.receive([event(1)]);
  expect(posted).toEqual([]);
});

test('[H94] events that wait when the server stops are not posted', async () => {
  const { emulator, posted, acknowledge } = openEmulator();
  emulator.receive([event(1), event(2)]);
  emulator[Symbol.dispose]();
  await acknowledge();
  emulator.receive([event(3)]);
  expect(posted).toEqual(['1']);
});
