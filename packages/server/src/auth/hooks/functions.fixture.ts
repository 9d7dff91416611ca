import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { type AuthClient, claimsOf } from '../api/auth-client.fixture.ts';

export type Json = Readonly<Record<string, unknown>>;
/** The status and the body of an answer. */
export type Reply = readonly [status: number, json: unknown];

/** Starts a program with functions. `answer` returns status and body for the claims of an event. */
export async function openFunctions(answer: (claims: Json) => Reply | Promise<Reply>) {
  const events: Json[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    request.once('end', async () => {
      const claims = claimsOf(Object(JSON.parse(text)).data.jwt);
      events.push(claims);
      const [status, json] = await answer(claims);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof json === 'string' ? json : JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { events, uri: `http://127.0.0.1:${port}/hook` };
}

/** Registers functions as the official functions emulator does. */
export async function register(
  client: AuthClient,
  triggers: Json,
  forwardInboundCredentials: Json = { idToken: false },
): Promise<void> {
  const { status, text } = await client.request(
    'PATCH',
    '/identitytoolkit.googleapis.com/v2/projects/demo/config?updateMask=blockingFunctions',
    JSON.stringify({ blockingFunctions: { triggers, forwardInboundCredentials } }),
    { authorization: 'Bearer owner' },
  );
  expect([status, text]).toEqual([200, text]);
}

/** The answer of a function that rejects an event. */
export const DENIAL = { error: { status: 'PERMISSION_DENIED', message: 'Not from here.' } };
