import { request } from 'node:http';
import { Readable } from 'node:stream';
import { expect, inject, test } from 'vitest';
import { isJsonObject } from '../drivers/json.ts';
import { ownerRequest } from './owner-request.ts';

/** Returns a database name that no other test uses. */
const freshName = () => `suite-${crypto.randomUUID()}`;

/** Sends a file in chunks, as the emulator suite does; resolves to the status of the response. */
function importStream(name: string, file: Readable): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const url = `${inject('serverUrl')}/.json?ns=${name}&disableTriggers=true&writeSizeLimit=unlimited`;
    const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' };
    const sending = request(url, { method: 'PUT', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    sending.on('error', reject);
    file.pipe(sending);
  });
}

/** The tests of this file send the same requests as firebase-tools and its emulator suite. */
test('[S281] the export of an emulator suite finds the databases with data, and fetches them', async () => {
  const [full, empty] = [freshName(), freshName()];
  const data = { list: ['a', 'b'], ranked: { '.value': 'x', '.priority': 3 } };
  await ownerRequest('PUT', `/.json?ns=${full}`, JSON.stringify(data));
  await ownerRequest('PUT', `/.settings/rules.json?ns=${empty}`, '{"rules":{}}');
  const { status, body } = await ownerRequest('GET', '/.inspect/databases.json?ns=demo-project');
  expect(status).toBe(200);
  expect(body).toEqual(expect.arrayContaining([{ name: full }, { name: empty }]));
  const shallow = (name: string) => ownerRequest('GET', `/.json?ns=${name}&shallow=true&limitToFirst=1`);
  expect(await shallow(empty)).toEqual({ status: 200, body: null });
  expect(await shallow(full)).toEqual({ status: 200, body: { list: true } });
  const exported = await ownerRequest('GET', `/.json?ns=${full}&format=export`);
  expect(exported.body).toEqual({ list: { 0: 'a', 1: 'b' }, ranked: { '.value': 'x', '.priority': 3 } });
});

test('[S282] the import of an emulator suite replaces a database with the content of a streamed file', async () => {
  const name = freshName();
  const pieces = ['{"a":{"b', '":[1,2,', '3]},"r":{".value":true,', '".priority":"p"}}'];
  expect(await importStream(name, Readable.from(pieces))).toBe(200);
  const exported = await ownerRequest('GET', `/.json?ns=${name}&format=export`);
  expect(exported.body).toEqual({
    a: { b: { 0: 1, 1: 2, 2: 3 } },
    r: { '.value': true, '.priority': 'p' },
  });
});

test('[S283] the server checks rules that the emulator suite loads, and reports the line and column of errors', async () => {
  const name = freshName();
  const put = (rules: string) => ownerRequest('PUT', `/.settings/rules.json?ns=${name}`, rules);
  expect((await put('{ // all\n "rules": { ".read": true } }')).status).toBe(200);
  const { status, body } = await put('{\n  "rules": { ".read": 5 }\n}');
  expect(status).toBe(400);
  expect(isJsonObject(body) && body['error']).toMatch(/^2:\d+: /);
});

test('[S267] a large node is listed and deleted in pieces, as database:remove does when one request is not enough', async () => {
  const name = freshName();
  const keys = Array.from({ length: 30 }, (_, n) => `key ${String(n).padStart(2, '0')}`);
  await ownerRequest(
    'PUT',
    `/large.json?ns=${name}`,
    JSON.stringify(Object.fromEntries(keys.map((key) => [key, { n: 1 }]))),
  );
  const list = async (startAfter: string) => {
    const after = startAfter === '' ? '' : `&startAfter=${encodeURIComponent(startAfter)}`;
    const query = `ns=${name}&shallow=true&limitToFirst=20${after}&timeout=3000ms`;
    const { body } = await ownerRequest('GET', `/large.json?${query}`);
    return Object.keys(body ?? {});
  };
  const first = await list('');
  expect(first).toEqual(keys.slice(0, 20));
  expect(await list(first.at(-1) ?? '')).toEqual(keys.slice(20));
  const removal = `print=silent&writeSizeLimit=tiny&disableTriggers=false&ns=${name}`;
  const batch = Object.fromEntries(first.map((key) => [key, null]));
  expect(await ownerRequest('PATCH', `/large.json?${removal}`, JSON.stringify(batch))).toMatchObject({
    status: 204,
  });
  expect(await list('')).toEqual(keys.slice(20));
  expect(await ownerRequest('PATCH', `/large.json?${removal}`, 'null')).toMatchObject({ status: 204 });
  expect((await ownerRequest('GET', `/large.json?ns=${name}`)).body).toBeNull();
});
