import { expect, test } from 'vitest';
import { ALL, auditEvent, auditTestBed } from './test-bed.fixture.ts';

test.each([
  ['192.0.2.0/24', (n: number) => `192.0.2.${n % 250}`, '192.0.3.1'],
  ['2001:db8:7::/48', (n: number) => `2001:db8:7:${n.toString(16)}::1`, '2001:db8:8::1'],
])(
  '[I1751] of the rejected requests of %s, the first two hundred are recorded, and then one in 5 s',
  async (_network, addressOf, other) => {
    const { log, clock } = auditTestBed();
    const reject = (count: number, network: (n: number) => string): void => {
      for (let n = 0; n < count; n++)
        log.notify(
          auditEvent({ event: 'redirect_rejected', result: 'X', detail: `${n}`, address: network(n) }),
        );
    };
    reject(5_000, addressOf);
    reject(1, () => other);
    log.notify(auditEvent({ result: 'X', detail: 'of the server', address: '' }));
    clock.ms += 10_000;
    reject(500, addressOf);
    await log[Symbol.asyncDispose]();
    const { entries } = await log.search('p', { ...ALL, limit: 2_000 });
    expect(entries.map(({ detail, address }) => [detail, address]).slice(0, 5)).toEqual([
      ['5298 events', ''],
      ['1', addressOf(1)],
      ['0', addressOf(0)],
      ['of the server', ''],
      ['0', other],
    ]);
    expect(entries).toHaveLength(205);
  },
);
