import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { HttpPoll } from './long-poll-queue.ts';

function openResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

test('[W153] who has gone away is noticed, before and after', () => {
  const response = openResponse();
  const noticed: string[] = [];
  const poll = new HttpPoll(response);
  poll.onClosed(() => noticed.push('then'));
  response.destroy();
  response.emit('close');
  poll.onClosed(() => noticed.push('at once'));
  expect(noticed).toEqual(['then', 'at once']);
});

test('[W153] an answer to nobody hurts nobody', async () => {
  const response = openResponse();
  response.destroy();
  new HttpPoll(response).answer('f();');
  await new Promise(setImmediate);
  expect(response.writableFinished).toBe(false);
});
