import { expect, test } from 'vitest';
import { openLoopbackClient } from './loopback-client.fixture.ts';
import { createMemoryServer } from './memory-server.fixture.ts';

test('[I644] the log names the request that met a bug as its answer does, and the answer does not tell the bug', async () => {
  const brokenAudit = {
    tell: () => undefined,
    join: () => undefined,
    search: () => Promise.reject(new Error('the book is torn')),
  };
  const { server, serve, log } = createMemoryServer({ audit: brokenAudit });
  serve();
  const client = await openLoopbackClient(server);
  const { status, headers, body } = await client.send({
    method: 'GET',
    url: '/api/audit',
    headers: { authorization: 'Bearer owner' },
  });
  expect([status, String(body)]).toEqual([500, expect.not.stringContaining('torn')]);
  const lines = log.map((line): unknown => JSON.parse(line));
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'A request failed unexpectedly',
      path: '/api/audit',
      requestId: headers['x-request-id'],
    }),
  );
});
