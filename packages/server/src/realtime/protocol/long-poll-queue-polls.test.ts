import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { HttpPoll } from './long-poll-queue.ts';

function openResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

test('[W153] a disconnected client is reported, before and after the listener is added', () => {
  const response = openResponse();
  const noticed: string[] = [];
  const poll = new HttpPoll(response);
  poll.onClosed(() => noticed.push('then'));
  response.destroy();
  response.emit('close');
  poll.onClosed(() => noticed.push('immediately'));
  expect(noticed).toEqual(['then', 'immediately']);
});

test('[W153] a response to a disconnected client has no effect', async () => {
  const response = openResponse();
  response.destroy();
  new HttpPoll(response).answer('f();');
  await new Promise(setImmediate);
  expect(response.writableFinished).toBe(false);
});
