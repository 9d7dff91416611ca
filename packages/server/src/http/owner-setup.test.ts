import { expect, test } from 'vitest';
import { openLoopbackClient } from './loopback-client.fixture.ts';
import { createMemoryServer } from './memory-server.fixture.ts';

test.each([
  ['GET', '/console/setup?token=x'],
  ['POST', '/api/owner'],
])('[I456] %s %s is not there in development mode', async (method, url) => {
  const { server, serve } = createMemoryServer();
  serve();
  const client = await openLoopbackClient(server);
  const body = method === 'POST' ? '{"token":"x"}' : undefined;
  expect((await client.send({ method, url, body, headers: { host: 'localhost' } })).status).toBe(404);
});
