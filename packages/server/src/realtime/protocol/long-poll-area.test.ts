import type { ServerResponse } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { expect, test } from 'vitest';
import { createMemoryServer } from '../../app/memory-server.fixture.ts';
import { openLoopbackClient } from '../../http/loopback-client.fixture.ts';

/** Opens a server whose endpoint responds with the database and one parameter of the request. */
async function openServer() {
  const longPolls = {
    answer: (_request: unknown, response: ServerResponse, namespace: string, query: URLSearchParams) => {
      if (query.has('refused')) throw new RequestError('request/overload');
      response.end(`${namespace} ${query.get('d0')}`);
    },
    close: async () => {},
  };
  const { server, serve } = await createMemoryServer({ longPolls });
  return { client: await openLoopbackClient(server), serve };
}

test.each([
  ['GET', '/.lp?ns=Demo&d0=a-b_c.', 'localhost', 200, 'demo a-b_c.'],
  ['POST', '/.lp?disconn=t', 'localhost:9000', 200, 'fake-server null'],
  ['GET', '/.lp?d0=%E0%A4', 'ns1.db.example', 200, 'ns1 \ufffd'],
  ['GET', '/.lp?ns=a_b', 'localhost', 400, /A database name has/],
  ['GET', '/.lp?refused=t', 'localhost', 503, /unavailable/],
  ['GET', '/.lp', 'evil.example', 403, /--allow-host evil\.example/],
] as const)('[W133] %s %s at %s is answered %i', async (method, url, host, status, body) => {
  const { client, serve } = await openServer();
  serve();
  const answer = await client.send({ method, url, headers: { host } });
  expect(answer.status).toBe(status);
  if (typeof body === 'string') expect(answer.body).toBe(body);
  else expect(answer.body).toMatch(body);
});

test('[H40] a poll is rejected while the server does not serve', async () => {
  const { client } = await openServer();
  const answer = await client.send({ url: '/.lp', headers: { host: 'localhost' } });
  expect(answer.status).toBe(503);
});
