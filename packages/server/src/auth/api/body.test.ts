import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { bodyBudget } from './auth-client.fixture.ts';
import { AuthApiBodies } from './body.ts';

function requestOf(announcedBytes: number): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers['content-length'] = String(announcedBytes);
  return request;
}

test('[I607] the server does not wait for a body whose client has disconnected', async () => {
  const bodies = new AuthApiBodies({ budget: bodyBudget() });
  const request = requestOf(10);
  const body = bodies.read(request, 100);
  request.push('12345');
  request.destroy();
  await expect(body).rejects.toThrow('before the body was complete');
});

test('[I606] a body that has arrived is read without a listener, and a check runs before the server waits for any other body', async () => {
  const bodies = new AuthApiBodies({ budget: bodyBudget() });
  const checked: string[] = [];
  const read = (request: IncomingMessage, name: string) =>
    bodies.read(request, 100, () => {
      checked.push(name);
      if (name === 'rejected') throw new Error('no');
    });
  const arrived = requestOf(5);
  const whole = read(arrived, 'arrived');
  arrived.push('12345');
  expect((await whole).toString()).toBe('12345');
  expect(arrived.listenerCount('data')).toBe(0);
  await expect(read(requestOf(5), 'rejected')).rejects.toThrow('no');
  const late = requestOf(5);
  const body = read(late, 'late');
  late.push('123');
  setImmediate(() => {
    late.push('45');
    late.push(null);
  });
  expect((await body).toString()).toBe('12345');
  expect(checked).toEqual(['rejected', 'late']);
});

test('[I608] a body whose declared length is too long is rejected without being read', async () => {
  const request = requestOf(101);
  const denied = new AuthApiBodies({ budget: bodyBudget() }).read(request, 100);
  request.push('12345');
  await expect(denied).rejects.toThrow('larger than the server accepts');
  expect(request.readableFlowing).toBe(null);
});
