import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { BODY_LIMITS, IdentityBodies } from './body.ts';

function requestOf(announcedBytes: number): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers['content-length'] = String(announcedBytes);
  return request;
}

test('[I607] a body whose client has gone is not waited for', async () => {
  const bodies = new IdentityBodies(BODY_LIMITS);
  const request = requestOf(10);
  const body = bodies.read(request, 100);
  request.push('12345');
  request.destroy();
  await expect(body).rejects.toThrow('broke off');
});

test('[I606] a body that is there needs nobody to listen for it, and one that is not is asked about first', async () => {
  const bodies = new IdentityBodies(BODY_LIMITS);
  const asked: string[] = [];
  const read = (request: IncomingMessage, name: string) =>
    bodies.read(request, 100, () => {
      asked.push(name);
      if (name === 'refused') throw new Error('no');
    });
  const atHand = requestOf(5);
  const whole = read(atHand, 'at hand');
  atHand.push('12345');
  expect((await whole).toString()).toBe('12345');
  expect(atHand.listenerCount('data')).toBe(0);
  await expect(read(requestOf(5), 'refused')).rejects.toThrow('no');
  const late = requestOf(5);
  const came = read(late, 'late');
  late.push('123');
  setImmediate(() => {
    late.push('45');
    late.push(null);
  });
  expect((await came).toString()).toBe('12345');
  expect(asked).toEqual(['refused', 'late']);
});

test('[I608] a body that says to be too long is refused without anybody listening for it', async () => {
  const request = requestOf(101);
  const denied = new IdentityBodies(BODY_LIMITS).read(request, 100);
  request.push('12345');
  await expect(denied).rejects.toThrow('larger than the server accepts');
  expect(request.readableFlowing).toBe(null);
});
