import { describe, expect, inject, test } from 'vitest';
import { unsignedToken } from '../drivers/credentials.ts';
import { type Json, type JsonObject, parseJson } from '../drivers/json.ts';
import { openNamespace, putRules, writeRules } from '../drivers/namespace.ts';
import { openStream } from '../drivers/stream.ts';

const ALICE = unsignedToken('alice', 0, { level: 3 });
const BOB = unsignedToken('bob');

const DENIED = { status: 401, body: { error: 'Permission denied' } };

const RULES = {
  users: {
    $user: {
      '.read': 'auth.uid == $user',
      '.write': 'auth.uid == $user',
      '.validate': "newData.hasChildren(['name'])",
      name: { '.validate': 'newData.isString()' },
      at: { '.validate': 'newData.val() == now' },
      visits: { '.validate': 'newData.val() == data.val() + 1' },
      $other: { '.validate': 'false' },
    },
  },
  list: {
    '.read': "query.orderByChild == 'owner' && query.equalTo == auth.uid && query.limitToFirst <= 10",
    '.indexOn': 'owner',
    $item: { '.write': "auth.token.level >= 3 && newData.child('owner').val() == auth.uid" },
  },
  keys: { '.read': 'query.orderByKey' },
} as const satisfies JsonObject;

interface Answer {
  readonly status: number;
  readonly body: Json;
}

interface RestRequest {
  readonly search?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** Creates a database with data and the rules of this file. Returns functions that send it REST requests. */
async function openRest(data: Json = null) {
  const namespace = await openNamespace({ rules: RULES });
  const send = async (
    method: string,
    path: string,
    { search = {}, headers = {}, body }: RestRequest = {},
  ): Promise<Answer> => {
    const url = new URL(
      `${path}.json?${new URLSearchParams({ ns: namespace, ...search })}`,
      inject('serverUrl'),
    );
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(url, { method, headers, ...init });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : parseJson(text) };
  };
  const asOwner = (method: string, path: string, body?: Json) =>
    send(method, path, {
      headers: { authorization: 'Bearer owner' },
      ...(body === undefined ? {} : { body }),
    });
  await asOwner('PUT', '/', data);
  return { namespace, send, all: async () => (await asOwner('GET', '/')).body };
}

const ALICES = { users: { alice: { name: 'Alice', visits: 1 } } };

describe('Rules over REST', () => {
  test('[S330] `auth` contains the principal of a request, including that of a stream', async () => {
    const { namespace, send } = await openRest(ALICES);
    const path = '/users/alice';
    const asAlice = await send('GET', path, { search: { auth: ALICE } });
    expect(asAlice).toEqual({ status: 200, body: ALICES.users.alice });
    expect(await send('GET', path, { search: { auth: BOB } })).toEqual(DENIED);
    expect(await send('GET', path)).toEqual(DENIED);
    expect(await send('GET', '/users', { search: { auth: ALICE } })).toEqual(DENIED);
    expect(await send('GET', path, { search: { auth: ALICE, shallow: 'true' } })).toMatchObject({
      status: 200,
    });
    expect(await send('GET', path, { search: { shallow: 'true' } })).toEqual(DENIED);
    expect(await send('GET', path, { search: { print: 'silent' } })).toEqual(DENIED);
    expect((await openStream(`${path}.json?ns=${namespace}&auth=${ALICE}`)).status).toBe(200);
    expect((await openStream(`${path}.json?ns=${namespace}&auth=${BOB}`)).status).toBe(401);
  });

  test.each<
    readonly [title: string, method: string, path: string, body: Json | undefined, after: Json | 'denied']
  >([
    ['PUT', 'PUT', '/users/alice', { name: 'A' }, { users: { alice: { name: 'A' } } }],
    ['PUT of invalid data', 'PUT', '/users/alice', { name: 7 }, 'denied'],
    ['PUT of an unknown key', 'PUT', '/users/alice', { name: 'A', mood: 'sad' }, 'denied'],
    ['PUT to another user', 'PUT', '/users/bob', { name: 'A' }, 'denied'],
    [
      'PATCH',
      'PATCH',
      '/users/alice',
      { visits: { '.sv': { increment: 1 } } },
      { users: { alice: { name: 'Alice', visits: 2 } } },
    ],
    ['PATCH with one invalid path', 'PATCH', '/users/alice', { name: 'A', visits: 3 }, 'denied'],
    [
      'PATCH of deep paths',
      'PATCH',
      '/',
      { 'users/alice/name': 'A', 'list/a/owner': 'alice' },
      { users: { alice: { name: 'A', visits: 1 } }, list: { a: { owner: 'alice' } } },
    ],
    ['PATCH with one denied path', 'PATCH', '/users', { 'alice/name': 'A', 'bob/name': 'B' }, 'denied'],
    ['PATCH that removes a required child', 'PATCH', '/users/alice', { name: null }, 'denied'],
    ['POST', 'POST', '/users/alice', 1, 'denied'],
    ['POST below a wildcard', 'POST', '/list', { owner: 'bob' }, 'denied'],
    ['DELETE', 'DELETE', '/users/alice', undefined, null],
    ['DELETE of a required child', 'DELETE', '/users/alice/name', undefined, 'denied'],
    ['PUT of an invented time', 'PUT', '/users/alice', { name: 'A', at: 1 }, 'denied'],
    ['PUT of a priority', 'PUT', '/users/bob/.priority', 1, 'denied'],
  ])('[S331] writes are made as a whole or rejected: %s', async (_, method, path, body, after) => {
    const { send, all } = await openRest(ALICES);
    const requested = { search: { auth: ALICE }, ...(body === undefined ? {} : { body }) };
    const answer = await send(method, path, requested);
    if (after === 'denied') expect(answer).toEqual(DENIED);
    else expect(answer.status).toBe(200);
    expect(await all()).toEqual(after === 'denied' ? ALICES : after);
  });

  test('[S331] a POST that the rules allow is made, and a server timestamp is `now`', async () => {
    const { send, all } = await openRest();
    const search = { auth: ALICE };
    const pushed = await send('POST', '/list', { search, body: { owner: 'alice' } });
    expect(pushed).toEqual({ status: 200, body: { name: expect.any(String) } });
    const at = { '.sv': 'timestamp' };
    expect(await send('PUT', '/users/alice', { search, body: { name: 'A', at } })).toMatchObject({
      status: 200,
    });
    expect(await all()).toMatchObject({ users: { alice: { name: 'A', at: expect.any(Number) } } });
  });

  test('[S331] a caller without write permission learns nothing from preconditions', async () => {
    const { send } = await openRest(ALICES);
    const put = (auth: string, body: Json) =>
      send('PUT', '/users/alice', { search: { auth }, headers: { 'if-match': 'null_etag' }, body });
    expect(await put(BOB, { name: 'B' })).toEqual(DENIED);
    expect(await put(ALICE, { name: 'A' })).toMatchObject({ status: 412 });
  });

  test('[S331] a caller without read permission sees at most what it wrote', async () => {
    const namespace = await openNamespace({ rules: { drop: { '.write': true } } });
    const put = async (path: string, body: string, headers = {}) => {
      const url = `${inject('serverUrl')}/drop/${path}.json?ns=${namespace}`;
      const answer = await fetch(url, { method: 'PUT', body, headers });
      return { status: answer.status, etag: answer.headers.get('etag'), body: await answer.json() };
    };
    const owner = { authorization: 'Bearer owner' };
    const shown = (body: Json) => ({ status: 200, etag: null, body });
    expect(await put('own', '{"a":1}')).toEqual(shown({ a: 1 }));
    const long = JSON.stringify({ text: 'x'.repeat(1_300_000) });
    expect(await put('long', long)).toEqual(shown(null));
    expect(await put('long', long, owner)).toEqual(shown(JSON.parse(long)));
    expect(await put('count', '0', { 'if-match': 'another' })).toEqual({
      status: 412,
      etag: null,
      body: { error: expect.any(String) },
    });
  });

  test('[S332] rules see the query of a GET; a GET without a query is ordered by key', async () => {
    const { send } = await openRest({ list: { a: { owner: 'alice' }, b: { owner: 'bob' } }, keys: { k: 1 } });
    const orderBy = '"owner"';
    const query = { auth: ALICE, orderBy, equalTo: '"alice"', limitToFirst: '10' };
    expect(await send('GET', '/list', { search: query })).toEqual({
      status: 200,
      body: { a: { owner: 'alice' } },
    });
    expect(await send('GET', '/list', { search: { ...query, equalTo: '"bob"' } })).toEqual(DENIED);
    expect(await send('GET', '/list', { search: { ...query, limitToFirst: '11' } })).toEqual(DENIED);
    expect(await send('GET', '/list', { search: { ...query, orderBy: '"$key"' } })).toEqual(DENIED);
    expect(await send('GET', '/list', { search: { auth: ALICE, orderBy, equalTo: '"alice"' } })).toEqual(
      DENIED,
    );
    expect(await send('GET', '/list', { search: { auth: ALICE } })).toEqual(DENIED);
    expect(await send('GET', '/keys')).toEqual({ status: 200, body: { k: 1 } });
    expect(await send('GET', '/keys', { search: { orderBy: '"$value"' } })).toEqual(DENIED);
  });

  test('[S333] rules decide a stream by its query, and the stream ends when new rules do not allow it', async () => {
    const { namespace, send } = await openRest();
    const streamOf = (limit: number) =>
      openStream(
        `/list.json?ns=${namespace}&auth=${ALICE}&orderBy="owner"&equalTo="alice"&limitToFirst=${limit}`,
      );
    expect((await streamOf(11)).status).toBe(401);
    expect((await openStream(`/keys.json?ns=${namespace}`)).status).toBe(200);
    const [wide, narrow] = [await streamOf(10), await streamOf(5)];
    await Promise.all([wide.events(1), narrow.events(1)]);
    const list = { ...RULES.list, '.read': `${RULES.list['.read']} && query.limitToFirst < 10` };
    await writeRules(namespace, { rules: { ...RULES, list } });
    await wide.untilEnded();
    expect((await wide.events(2)).at(-1)).toEqual(['cancel', '"Permission denied."']);
    await send('PUT', '/list/a', { search: { auth: ALICE }, body: { owner: 'alice' } });
    expect((await narrow.events(2)).at(-1)?.[1]).toContain('alice');
  });

  test('[S333] a stream of a user sends nothing of a denied write', async () => {
    const { namespace, send } = await openRest(ALICES);
    const search = { auth: ALICE };
    const stream = await openStream(`/users/alice.json?ns=${namespace}&auth=${ALICE}`);
    await stream.events(1);
    expect(await send('PATCH', '/users/alice', { search, body: { name: 'A', visits: 9 } })).toEqual(DENIED);
    expect(await send('PATCH', '/users/alice', { search, body: { name: 'B' } })).toMatchObject({
      status: 200,
    });
    const [, second] = await stream.events(2);
    expect(second?.[1]).toContain('"B"');
  });

  describe.each([
    ['in the header', { headers: { authorization: 'Bearer owner' } }],
    ['in access_token', { search: { access_token: 'owner' } }],
    ['in auth', { search: { auth: 'owner' } }],
  ] as const)('Requests of the owner, with the credential %s', (_, requested: RestRequest) => {
    const instead = (override: Json): RestRequest => ({
      ...requested,
      search: { ...requested.search, auth_variable_override: JSON.stringify(override) },
    });

    test('[S334] `auth_variable_override` is `auth` for the rules, in reads and writes', async () => {
      const { send, all } = await openRest(ALICES);
      expect(await send('GET', '/users/alice', requested)).toMatchObject({ status: 200 });
      expect(await send('GET', '/users/alice', instead({ uid: 'alice' }))).toMatchObject({ status: 200 });
      expect(await send('GET', '/users/alice', instead({ uid: 'bob' }))).toEqual(DENIED);
      expect(await send('GET', '/users/alice', instead({}))).toEqual(DENIED);
      const item = (override: Json) =>
        send('PUT', '/list/a', { ...instead(override), body: { owner: 'worker' } });
      expect(await item({ uid: 'worker' })).toEqual(DENIED);
      expect(await item({ uid: 'worker', token: { level: 3 } })).toMatchObject({ status: 200 });
      expect(await send('DELETE', '/users/alice/name', instead({ uid: 'alice' }))).toEqual(DENIED);
      expect(await all()).toEqual({ ...ALICES, list: { a: { owner: 'worker' } } });
    });

    test('[S334] with an `auth_variable_override` of `null` the caller is anonymous', async () => {
      const { send } = await openRest(ALICES);
      expect(await send('GET', '/users/alice', instead(null))).toEqual(DENIED);
      expect(await send('PUT', '/users/alice', { ...instead(null), body: { name: 'A' } })).toEqual(DENIED);
      expect(await send('GET', '/keys', instead(null))).toEqual({ status: 200, body: null });
    });
  });

  test('[S334] `auth_variable_override` applies to streams, and must be an object or null', async () => {
    const { namespace, send } = await openRest(ALICES);
    const stream = (override: string) =>
      openStream(`/users/alice.json?ns=${namespace}&auth=owner&auth_variable_override=${override}`);
    expect((await stream('{"uid":"alice"}')).status).toBe(200);
    expect((await stream('{"uid":"bob"}')).status).toBe(401);
    expect((await stream('null')).status).toBe(401);
    for (const wrong of ['', '{', '[]', '"alice"', '1']) {
      const search = { auth: 'owner', auth_variable_override: wrong };
      expect(await send('GET', '/users/alice', { search })).toMatchObject({ status: 400 });
    }
  });

  test('[S334] `auth_variable_override` of a user has no effect', async () => {
    const { send } = await openRest(ALICES);
    const search = { auth: BOB, auth_variable_override: '{"uid":"alice"}' };
    expect(await send('GET', '/users/alice', { search })).toEqual(DENIED);
  });

  test('[S335] rules are read back as uploaded, checked without taking effect, and rejected with the line of every error', async () => {
    const namespace = await openNamespace();
    const upload = async (text: string, search = '') => {
      const url = `${inject('serverUrl')}/.settings/rules.json?ns=${namespace}${search}`;
      const answer = await fetch(url, {
        method: 'PUT',
        headers: { authorization: 'Bearer owner' },
        body: text,
      });
      return { status: answer.status, body: parseJson(await answer.text()) };
    };
    const read = async (search = '') => {
      const url = `${inject('serverUrl')}/.settings/rules.json?ns=${namespace}${search}`;
      return (await fetch(url, { headers: { authorization: 'Bearer owner' } })).text();
    };
    const text =
      '// For all.\n{\n  "rules": {\n    ".read": true, /* a\n long */ ".write": "auth\n != null"\n  }\n}\n';
    expect(await putRules(namespace, text)).toEqual({ status: 200, text: '{"status":"ok"}' });
    expect(await read()).toBe(text);
    expect(parseJson(await read('&format=strict'))).toEqual({
      rules: { '.read': true, '.write': 'auth\n != null' },
    });
    expect(await upload('{"rules":{".validate":"newData.isString()"}}', '&dryRun=true')).toMatchObject({
      status: 200,
    });
    expect(await upload('{"rules":{".read":"nope"}}', '&dryRun=true')).toMatchObject({ status: 400 });
    const wrong =
      '{\n  "rules": {\n    ".read": "newData.exists()",\n    "a": { ".write": "auth.uid" },\n    "$x": { "$y": {}, "$z": {} }\n  }\n}';
    const answer = await upload(wrong);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: expect.stringMatching(
        /^3:\d+: newData is invalid in \.read expressions\.\n4:\d+: Expression must evaluate to a boolean\.\n5:\d+: Cannot have multiple default rules \('\$y' and '\$z'\)\.\n$/,
      ),
    });
    expect(await read()).toBe(text);
  });
});
