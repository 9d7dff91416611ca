import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ResourcePool } from '../platform/resource-pool.ts';
import type { TakeBudget } from './body-budget.ts';
import { bufferBody, type RequestBody } from './request-body.ts';

const MIB = 2 ** 20;

/** Opens a budget of `total` bytes. The returned function returns the `TakeBudget` for clients of a network. */
function openBudget(total: number): (network?: string) => TakeBudget {
  const limits = { total, reserve: 0, ofNetwork: total, idleMs: 5_000 };
  const pool = new ResourcePool(limits, () => performance.now());
  return (network = 'n1') =>
    (evict) =>
      pool.open({ network, isPrivileged: false }, evict);
}

function openBody(takeBudget: TakeBudget): { readonly stream: PassThrough; readonly body: RequestBody } {
  const stream = new PassThrough({ highWaterMark: 4 * MIB });
  return { stream, body: { stream, announcedBytes: null, recheckAccess: null, takeBudget } };
}

test('[H521] a body that does not fit into the memory budget of all incomplete bodies is rejected', async () => {
  const budget = openBudget(3 * MIB);
  const first = openBody(budget());
  const held = bufferBody(first.body, 2 * MIB);
  first.stream.write(Buffer.alloc(2 * MIB));
  await once(first.stream, 'data');
  const second = openBody(budget());
  const denied = expect(bufferBody(second.body, 2 * MIB)).rejects.toMatchObject({ code: 'request/overload' });
  second.stream.write(Buffer.alloc(1.5 * MIB));
  await denied;
  first.stream.end();
  expect(await held).toMatchObject({ kind: 'whole', bytes: { length: 2 * MIB } });

  const third = openBody(budget());
  const whole = bufferBody(third.body, 2 * MIB);
  third.stream.end(Buffer.alloc(2 * MIB));
  expect(await whole).toMatchObject({ kind: 'whole' });
});

test('[H521] a body that is stored in parts or ends early returns its memory to the budget', async () => {
  const budget = openBudget(2 * MIB);
  for (let time = 0; time < 5; time += 1) {
    const long = openBody(budget());
    const held = bufferBody(long.body, MIB);
    long.stream.write(Buffer.alloc(1.5 * MIB));
    expect(await held).toMatchObject({ kind: 'long' });
    const broken = openBody(budget());
    const lost = expect(bufferBody(broken.body, MIB)).rejects.toMatchObject({ code: 'request/malformed' });
    broken.stream.write(Buffer.alloc(MIB));
    await once(broken.stream, 'data');
    broken.stream.destroy();
    await lost;
  }
});

test('[H544] if the budget is used up, a new body evicts an unfinished body of another network', async () => {
  const budget = openBudget(3 * MIB);
  const slow = openBody(budget('attacker'));
  const evicted = expect(bufferBody(slow.body, 3 * MIB)).rejects.toMatchObject({ code: 'request/overload' });
  slow.stream.write(Buffer.alloc(3 * MIB));
  await once(slow.stream, 'data');
  const quick = openBody(budget('crowd'));
  const held = bufferBody(quick.body, MIB);
  quick.stream.write(Buffer.alloc(MIB / 2));
  await once(quick.stream, 'data');
  quick.stream.end(Buffer.alloc(MIB / 2));
  expect(await held).toMatchObject({ kind: 'whole', bytes: { length: MIB } });
  await evicted;
});
