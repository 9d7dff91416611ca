import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { expectAnswers, LOCAL, OWNER, type Row, UNAUTHORIZED } from '../app/exchange.fixture.ts';
import { createMemoryServer } from '../app/memory-server.fixture.ts';
import { openLoopbackClient } from '../http/loopback-client.fixture.ts';

const URL = '/api/databases/d/imports/import-01';
const PATH = '{"path":"/place","mode":"replace"}';

function state(fields: Readonly<Record<string, unknown>>): string {
  const open = {
    id: 'import-01',
    path: '/place',
    mode: 'replace',
    status: 'open',
    offset: 0,
    crc32: 0,
    counts: {},
  };
  return JSON.stringify({ ...open, ...fields });
}

test.each<readonly [string, readonly Row[]]>([
  [
    '[H220][H221][H223][H224] an import can be sent in two parts',
    [
      ['PUT', URL, PATH, 200, state({}), OWNER],
      ['PATCH', `${URL}?offset=0`, '{"a":', 200, state({ offset: 5, crc32: 1_789_951_987 }), OWNER],
      ['GET', URL, undefined, 200, /"offset":5/, OWNER],
      [
        'PATCH',
        `${URL}?offset=4`,
        '1}',
        409,
        /"offset":5.*"error":"The import is at byte 5, not at 4."/,
        OWNER,
      ],
      ['PATCH', `${URL}?offset=5`, '1}', 200, /"status":"open","offset":7/, OWNER],
      ['GET', '/place.json?ns=d', undefined, 200, 'null'],
      ['POST', `${URL}/finish`, undefined, 200, /"status":"done","offset":7/, OWNER],
      ['POST', `${URL}/finish`, undefined, 200, /"status":"done","offset":7/, OWNER],
      ['GET', '/place.json?ns=d', undefined, 200, '{"a":1}'],
      ['PUT', URL, '{"path":"/place","mode":"merge"}', 409, /"mode":"replace".*another path or mode/, OWNER],
      ['DELETE', URL, undefined, 200, '{"status":"ok"}', OWNER],
      ['GET', URL, undefined, 404, /The import does not exist/, OWNER],
    ],
  ],
  [
    '[H225] an invalid source makes the import fail',
    [
      ['PUT', URL, PATH, 200, state({}), OWNER],
      [
        'PATCH',
        `${URL}?offset=0&final=true`,
        '{"a":1,\n"a":2}',
        400,
        /"status":"failed".*Duplicate key [^,]* in an object, at line 2, column 1 \(byte 8\)."/,
        OWNER,
        { connection: 'close' },
      ],
      ['GET', URL, undefined, 200, /"position":{"byte":8,"line":2,"column":1}/, OWNER],
      ['GET', '/.json?ns=d', undefined, 200, 'null'],
    ],
  ],
  [
    '[H220][H234] invalid requests are rejected',
    [
      ['PUT', URL, PATH, 401, UNAUTHORIZED],
      ['GET', '/api/databases/d/imports/short', undefined, 400, /8 to 64/, OWNER],
      ['GET', '/api/databases/d/imports/UPPER-CASE', undefined, 400, /8 to 64/, OWNER],
      ['GET', '/api/databases/a_b/imports/import-01', undefined, 400, /A database name/, OWNER],
      ['PUT', URL, '{"path":"/a","mode":"add"}', 400, /replace, merge, deep-merge, compare/, OWNER],
      ['PUT', URL, '{"path":"/a","mode":"merge","previewOf":"merge"}', 400, /only for the mode/, OWNER],
      ['PUT', URL, '{"path":"/a","mode":"compare","previewOf":"compare"}', 400, /previewOf/, OWNER],
      ['PUT', URL, '[]', 400, /needs a \\"path\\", and a \\"mode\\"/, OWNER],
      ['PUT', URL, '{"path":"/a.b","mode":"merge"}', 400, /Invalid path/, OWNER],
      ['PATCH', `${URL}?offset=x`, '1', 400, /the query parameter offset/i, OWNER],
      ['PATCH', `${URL}?offset=0`, '1', 404, /The import does not exist/, OWNER],
    ],
  ],
])('%s', async (_name, rows) => {
  await expectAnswers(rows);
  expect(rows.length).toBeGreaterThan(0);
});

/** The message that Node publishes when a response is finished. */
interface Answered {
  readonly request: { readonly method: string };
  readonly socket: Socket;
}

test('[H237] a connection that waits for an import has no idle timeout', async () => {
  const { server, serve } = await createMemoryServer();
  serve();
  const client = await openLoopbackClient(server);
  const limits: (readonly [string, number | undefined])[] = [];
  const record = (message: unknown): void => {
    const { request, socket } = message as Answered;
    if (socket.localPort === client.port) limits.push([request.method, socket.timeout]);
  };
  subscribe('http.server.response.finish', record);
  const headers = { ...LOCAL, ...OWNER };
  try {
    await client.send({ method: 'PUT', url: URL, headers, body: PATH });
    await client.send({ method: 'PATCH', url: `${URL}?offset=0`, headers, body: '{"a":1}' });
    await client.send({ method: 'POST', url: `${URL}/finish`, headers });
  } finally {
    unsubscribe('http.server.response.finish', record);
  }
  expect(limits).toEqual([
    ['PUT', 120_000],
    ['PATCH', 0],
    ['POST', 0],
  ]);
});
