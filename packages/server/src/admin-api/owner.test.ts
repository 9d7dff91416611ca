import { expect, test } from 'vitest';
import { createMemoryServer } from '../app/memory-server.fixture.ts';
import { openLoopbackClient } from '../http/loopback-client.fixture.ts';

test.each([
  ['GET', '/console/setup?token=x'],
  ['POST', '/api/owner'],
])('[I456] %s %s does not exist in development mode', async (method, url) => {
  const { server, serve } = await createMemoryServer();
  serve();
  const client = await openLoopbackClient(server);
  const body = method === 'POST' ? '{"token":"x"}' : undefined;
  expect((await client.send({ method, url, body, headers: { host: 'localhost' } })).status).toBe(404);
});
