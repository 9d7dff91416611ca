import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { BodyBudget } from './body-budget.ts';
import { bufferBody, type RequestBody } from './request-body.ts';

const MIB = 2 ** 20;

function openBody(budget: BodyBudget): { readonly stream: PassThrough; readonly body: RequestBody } {
  const stream = new PassThrough({ highWaterMark: 4 * MIB });
  return { stream, body: { stream, announcedBytes: null, admitAgain: null, room: budget } };
}

test('[H521] all that is held of unfinished bodies together is not much more than one may be', async () => {
  const budget = new BodyBudget(2 * MIB);
  const first = openBody(budget);
  const held = bufferBody(first.body, 2 * MIB);
  first.stream.write(Buffer.alloc(2 * MIB));
  await once(first.stream, 'data');
  const second = openBody(budget);
  const denied = expect(bufferBody(second.body, 2 * MIB)).rejects.toMatchObject({ code: 'request/overload' });
  second.stream.write(Buffer.alloc(1.5 * MIB));
  await denied;
  first.stream.end();
  expect(await held).toMatchObject({ kind: 'whole', bytes: { length: 2 * MIB } });

  const third = openBody(budget);
  const whole = bufferBody(third.body, 2 * MIB);
  third.stream.end(Buffer.alloc(2 * MIB));
  expect(await whole).toMatchObject({ kind: 'whole' });
});

test('[H521] a body that is to be stored in parts gives its room back, and one that breaks off too', async () => {
  const budget = new BodyBudget(MIB);
  for (let time = 0; time < 5; time += 1) {
    const long = openBody(budget);
    const held = bufferBody(long.body, MIB);
    long.stream.write(Buffer.alloc(1.5 * MIB));
    expect(await held).toMatchObject({ kind: 'long' });
    const broken = openBody(budget);
    const lost = expect(bufferBody(broken.body, MIB)).rejects.toMatchObject({ code: 'request/malformed' });
    broken.stream.write(Buffer.alloc(MIB));
    await once(broken.stream, 'data');
    broken.stream.destroy();
    await lost;
  }
});
