import { once } from 'node:events';
import { parsePath } from '@hearth/core/tree/path.ts';
import { test } from 'vitest';
import { ADMIN } from '../../access/principal.ts';
import { error, expectAnswer, OWNER, type Row, toRequest } from '../../app/exchange.fixture.ts';
import { createMemoryServer } from '../../app/memory-server.fixture.ts';
import { openLoopbackClient } from '../../http/loopback-client.fixture.ts';
import type { ReadAnswer, ReadRequest } from '../database/tree-view.ts';

const DATABASE = 'fake-server';
/** Maximum number of long reads at a time. */
const LONG_READS = 64;
/** A value too long for one transaction to read or write. */
const LONG = JSON.stringify(
  Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at + 10}`, 'x'.repeat(65_536)])),
);
const SET_LONG: Row = ['PUT', '/long.json?print=silent', LONG, 204, ''];
const STALE = error('Transaction hash does not match');
const MAX_BODY_BYTES = 2 ** 24;

const READ_LONG: ReadRequest = {
  operation: 'GET',
  identity: ADMIN,
  path: parsePath('long'),
  form: 'plain',
  selection: { kind: 'node' },
  wantsHash: false,
  timeoutMs: 60_000,
};

async function openTestBed() {
  const { server, serve, databases } = await createMemoryServer({}, MAX_BODY_BYTES);
  serve();
  const client = await openLoopbackClient(server);
  const expectRow = async (row: Row): Promise<void> => expectAnswer(row, await client.send(toRequest(row)));
  return { databases, expectRow };
}

async function release({ json }: ReadAnswer): Promise<void> {
  if (json.kind === 'parts') await json.parts.return();
}

test('[H508] a write succeeds even if there is no place for the long read that returns the value', async () => {
  const { databases, expectRow } = await openTestBed();
  await expectRow(SET_LONG);
  const held: ReadAnswer[] = [];
  while (held.length < LONG_READS) held.push(await databases.read(DATABASE, READ_LONG));
  await expectRow(['GET', '/long.json', undefined, 503, error('The service is unavailable')]);
  await expectRow(['PUT', '/other.json', LONG, 200, 'null']);
  await expectRow(['GET', '/other.json?shallow=true&limitToFirst=1', undefined, 200, '{"k10":true}']);
  await expectRow(['PUT', '/long.json', '1', 412, STALE, { 'if-match': 'x' }, { etag: undefined }]);
  for (const answer of held) await release(answer);
  await expectRow(['PUT', '/other.json', LONG, 200, LONG]);
  await expectRow(['PUT', '/long.json', '1', 412, LONG, { 'if-match': 'x' }]);
});

test('[H508] a long write succeeds for a caller who may not read it', async () => {
  const { expectRow } = await openTestBed();
  await expectRow(['PUT', '/.settings/rules.json', '{"rules":{".write":true}}', 200, /ok/, OWNER]);
  await expectRow(['PUT', '/long.json', LONG, 200, 'null']);
});

test('[H509] a read whose timeout passes before its first part is answered 400', async () => {
  const { databases, expectRow } = await openTestBed();
  await expectRow(SET_LONG);
  const read = databases.read.bind(databases);
  databases.read = async (name, request) => {
    const answer = await read(name, request);
    if (answer.json.kind === 'parts' && answer.json.broken !== undefined)
      await once(answer.json.broken, 'abort');
    return answer;
  };
  await expectRow(['GET', '/long.json?timeout=1ms', undefined, 400, /could not be read within 1 ms/]);
  await expectRow(['GET', '/long.json?timeout=1ms&callback=f', undefined, 400, /within 1 ms/]);
});

test('[H514][H515] an invalid long body is rejected with its position', async () => {
  const { expectRow } = await openTestBed();
  const wrong = (member: string): string => `${LONG.slice(0, -1)},${member}}`;
  const location = `line 1, column ${LONG.length + 1} `;
  const number = `"n":${'1'.repeat(5_000)}`;
  await expectRow(['PUT', '/a.json', wrong(number), 400, /longer than 4096 bytes, at line 1, column \d{7} /]);
  await expectRow([
    'PUT',
    '/a.json',
    wrong(`"${'n'.repeat(5_000)}":1`),
    400,
    new RegExp(`768 bytes, at ${location}`),
  ]);
  await expectRow(['PUT', '/a.json', wrong('"k10":1'), 400, new RegExp(`at ${location}`)]);
  await expectRow(['GET', '/a.json', undefined, 200, 'null']);
  await expectRow(['PUT', '/a.json', '{"k10":0,"k10":1}', 200, '{"k10":1}']);
});
