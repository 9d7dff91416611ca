import { expect, onTestFinished, test } from 'vitest';
import { openShop, signUp } from './members.fixture.ts';
import type { Serving } from './serving.fixture.ts';
import { openSocket } from './socket.fixture.ts';

const RULES = {
  rules: {
    open: { '.read': true, '.write': "auth.uid === 'ann'" },
    rooms: { $room: { '.read': "data.child('members').hasChild(auth.uid)" } },
    listed: { '.read': 'query.orderByKey && query.limitToFirst <= 10' },
  },
};
const DATA = {
  open: { motd: 'hi' },
  rooms: { r1: { members: { ann: true } }, r2: { members: { bob: true } }, r3: 5 },
  listed: { a: 1 },
};
const ANN = { uid: 'ann' };

function parametersOf(path: string, as: unknown, more = ''): string {
  return `path=${encodeURIComponent(path)}&as=${encodeURIComponent(JSON.stringify(as))}${more}`;
}

async function openRooms() {
  const shop = await openShop();
  const { serving } = shop;
  await put(serving, '/.settings/rules.json?ns=shop', RULES);
  await put(serving, '/.json?ns=shop', DATA);
  return shop;
}

async function put({ ask, token }: Serving, path: string, body: unknown): Promise<void> {
  expect((await ask(path, { token, method: 'PUT', body })).status).toBe(200);
}

/** Opens a live page. Returns a function that waits for the next event: a parsed page, or the text of another event. */
async function follow({ app }: Serving, token: string, parameters: string) {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  const { body } = await fetch(`${app.url}/api/databases/shop/children?${parameters}`, { headers });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  onTestFinished(() => reader?.cancel());
  let text = '';
  return async (): Promise<Readonly<Record<string, unknown>> | string> => {
    for (;;) {
      const [event, rest] = splitEvent(text);
      if (event !== undefined) {
        text = rest;
        const data = /^data: (.*)$/m.exec(event)?.[1] ?? 'null';
        return event.startsWith('event: page') ? Object(JSON.parse(data)) : event;
      }
      text += (await reader?.read())?.value ?? '';
    }
  };
}

function splitEvent(text: string): readonly [string | undefined, string] {
  const end = text.indexOf('\n\n');
  return end < 0 ? [undefined, text] : [text.slice(0, end), text.slice(end + 2)];
}

test('[H489][H490] with `as`, a page shows only what rules let that principal read', async () => {
  const { serving, make } = await openRooms();
  const { memberToken: token } = await make('viewer');
  const read = async (path: string, as: unknown, more = '') =>
    (await serving.ask(`/api/databases/shop/children?${parametersOf(path, as, more)}`, { token })).json;
  expect(await read('/open', null)).toMatchObject({
    isDenied: false,
    node: { childCount: 1 },
    children: [{ key: 'motd', value: 'hi' }],
  });
  const { json: plain } = await serving.ask('/api/databases/shop/children?path=/rooms', { token });
  expect(plain).not.toHaveProperty('isDenied');
  const rejected = { kind: 'object', childCount: 0, isCountPartial: false, priority: null, isDenied: true };
  expect(await read('/rooms', ANN)).toEqual({
    isDenied: true,
    node: rejected,
    children: [
      expect.objectContaining({ key: 'r1', childCount: 1, preview: '{"members":{"ann":true}}' }),
      { ...rejected, key: 'r2', preview: null },
      { key: 'r3', kind: 'string', value: '', isCut: false, priority: null, isDenied: true },
    ],
    previous: null,
    next: null,
  });
  expect(await read('/rooms/r3', null)).toMatchObject({ node: { value: '', isDenied: true } });
  expect(await read('/listed', null, '&limit=10')).toMatchObject({ isDenied: false });
  for (const more of ['&limit=11', '&limit=10&last=true'])
    expect(await read('/listed', null, more)).toMatchObject({ isDenied: true });
});

test('[H491] a live page is authorized again after each change and when rules are published', async () => {
  const { serving, make } = await openRooms();
  const { memberToken } = await make('viewer');
  const next = await follow(serving, memberToken, parametersOf('/rooms', ANN));
  expect(await next()).toMatchObject({ isDenied: true, children: [{ key: 'r1' }, {}, {}] });
  await put(serving, '/rooms/r2/members/ann.json?ns=shop', true);
  const changed = await next();
  expect(changed).toMatchObject({ isDenied: true, changed: ['r2'] });
  expect(Object(changed).children[1]).not.toHaveProperty('isDenied');
  await put(serving, '/.settings/rules.json?ns=shop', { rules: { '.read': "auth.uid === 'ann'" } });
  expect(await next()).toMatchObject({ isDenied: false, changed: [], node: { childCount: 3 } });
  await put(serving, '/.settings/rules.json?ns=shop', { rules: {} });
  expect(await next()).toMatchObject({ isDenied: true, changed: [], node: { isDenied: true } });
  const path = '/api/projects/shop/members';
  const { json } = await serving.ask(path, { token: serving.token });
  const viewer = [json['members']].flat().find((member) => Object(member).role === 'viewer');
  await serving.ask(`${path}/${Object(viewer).uid}`, { token: serving.token, method: 'DELETE' });
  expect(await next()).toMatch(/^event: auth_revoked/);
});

test('[H492] with `as`, rules decide on changes, but `expected` is compared with the current data even if the principal may not read it', async () => {
  const { serving, make } = await openRooms();
  const { memberToken: token } = await make('editor');
  const write = async (as: unknown, changes: unknown, expected = {}) => {
    const url = `/api/databases/shop/changes?as=${encodeURIComponent(JSON.stringify(as))}`;
    const { status, json } = await serving.ask(url, { token, body: { changes, expected } });
    return [status, json['code']];
  };
  const denied = [401, 'access/denied'];
  expect(await write(ANN, { '/open/motd': 1 })).toEqual([200, undefined]);
  expect(await write(null, { '/open/motd': 2 })).toEqual(denied);
  expect(await write(ANN, { '/open/motd': 2, '/listed/a': 2 })).toEqual(denied);
  expect(await write(ANN, { '/open/motd': 2 }, { '/listed/a': 'null_etag' })).toEqual([412, 'write/stale']);
  const { text } = await serving.ask('/open/motd.json?ns=shop', { token: serving.token });
  expect(text).toBe('1');
  const { json } = await serving.ask('/api/databases/shop/denials', { token });
  expect(json['denials']).toMatchObject([
    { identity: { kind: 'user', auth: ANN } },
    { identity: { kind: 'guest' } },
  ]);
});

test('[H493][I621] impersonation gives the caller no additional rights', async () => {
  const { serving, make } = await openRooms();
  await put(serving, '/.settings/rules.json?ns=shop', { rules: { '.read': true, '.write': true } });
  const viewer = (await make('viewer')).memberToken;
  for (const as of [ANN, null]) {
    const name = encodeURIComponent(JSON.stringify(as));
    const rest = `/open/motd.json?ns=shop&auth_variable_override=${name}`;
    const changes = { token: viewer, body: { changes: { '/open/motd': 2 } } };
    const answers = [
      await serving.ask(`/api/databases/shop/changes?as=${name}`, changes),
      await serving.ask(rest, { token: viewer, method: 'PUT', body: '2' }),
      await serving.ask(rest, { token: viewer, method: 'DELETE' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await serving.ask(rest, { token: viewer })).toMatchObject({ status: 200, text: '"hi"' });
  }
  const path = `/api/databases/shop/children?${parametersOf('/open', ANN)}`;
  expect((await serving.ask(path, { token: viewer })).status).toBe(200);
  const { idToken } = await make('owner', 'second');
  for (const token of [undefined, idToken])
    expect((await serving.ask(path, token === undefined ? {} : { token })).status).toBe(401);
});

test('[H495][H493] a realtime client impersonates a principal with a prefix of its credential', async () => {
  const { serving, make, apiKey } = await openRooms();
  const [viewer, editor] = [(await make('viewer')).memberToken, (await make('editor')).memberToken];
  const { idToken } = await signUp(serving, 'shop', apiKey, 'somebody');
  const encode = (text: string) => `as.${Buffer.from(text).toString('base64url')}.`;
  const authenticate = async (token: string) => {
    const { ask, authenticated } = await openSocket(serving, token);
    const read = async (p: string) => (await ask('q', { p, h: '' }))['s'];
    return [
      authenticated['s'],
      await read('/rooms/r1'),
      await read('/rooms/r2'),
      (await ask('p', { p: '/open/x', d: 1 }))['s'],
    ];
  };
  const denied = 'permission_denied';
  const ann = encode(JSON.stringify(ANN));
  expect(await authenticate(`${ann}${viewer}`)).toEqual(['ok', 'ok', denied, denied]);
  expect(await authenticate(`${ann}${editor}`)).toEqual(['ok', 'ok', denied, 'ok']);
  expect(await authenticate(`${encode('null')}${editor}`)).toEqual(['ok', denied, denied, denied]);
  expect(await authenticate(`${ann}${idToken}`)).toEqual(['ok', denied, denied, denied]);
  for (const text of ['{', '1', '"ann"'])
    expect((await authenticate(`${encode(text)}${editor}`))[0]).toBe('invalid_token');
});

test('[H494] an invalid `as` is rejected', async () => {
  const { serving } = await openShop();
  const { token } = serving;
  const requestError = {
    status: 400,
    json: { error: 'as must be a JSON object or null.', code: 'http/parameter' },
  };
  for (const as of ['x', '1', '[]', '"ann"', '{']) {
    const at = `as=${encodeURIComponent(as)}`;
    expect(await serving.ask(`/api/databases/shop/children?${at}`, { token })).toMatchObject(requestError);
    const body = { changes: { '/a': 1 } };
    expect(await serving.ask(`/api/databases/shop/changes?${at}`, { token, body })).toMatchObject(
      requestError,
    );
  }
});

test('[H501] with `as`, a search returns and counts only what rules let that principal read', async () => {
  const { serving, make } = await openRooms();
  const { memberToken: token } = await make('viewer');
  const search = async (path: string, as: unknown, more: string) => {
    const parameters = parametersOf(path, as, `&text=${more}`);
    const { text } = await serving.ask(`/api/databases/shop/search?${parameters}`, { token });
    const lines = text.trimEnd().split('\n');
    const reported = lines.map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
    return reported.flatMap(({ kind, path: at, hits, isComplete }) =>
      kind === 'hit' ? [at] : kind === 'done' ? [{ hits, isComplete }] : [],
    );
  };
  const done = (hits: number, isComplete = true) => ({ hits, isComplete });
  expect(await search('/', ANN, 'r&in=keys')).toEqual(['/rooms/r1', '/rooms/r1/members', done(2)]);
  expect(await search('/', { uid: 'bob' }, 'r&in=keys')).toEqual(['/rooms/r2', '/rooms/r2/members', done(2)]);
  expect(await search('/', ANN, 'r&in=keys&limit=1')).toEqual(['/rooms/r1', done(1, false)]);
  expect(await search('/', null, 'hi')).toEqual(['/open/motd', done(1)]);
  // Only a query may read these children.
  expect(await search('/listed', ANN, 'a')).toEqual([done(0)]);
  await put(serving, '/.settings/rules.json?ns=shop', { rules: { '.read': "auth.uid === 'bob'" } });
  expect(await search('/', ANN, 'hi')).toEqual([done(0)]);
  expect(await search('/', { uid: 'bob' }, 'hi')).toEqual(['/open/motd', done(1)]);
});

test('[H496] an `as` or `auth_variable_override` that is too deep or given twice is rejected', async () => {
  const { serving } = await openRooms();
  const { token } = serving;
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const ask = async (name: string, path: string, ...given: readonly string[]) => {
    const parameters = given.map((json) => `&${name}=${encodeURIComponent(json)}`).join('');
    const { status, json } = await serving.ask(`${path}${parameters}`, { token });
    return status === 200 ? status : [status, json['error']];
  };
  const paths = [
    ['as', '/api/databases/shop/children?path=/open'],
    ['auth_variable_override', '/open.json?ns=shop'],
  ] as const;
  for (const [name, path] of paths) {
    expect(await ask(name, path, nested(32))).toBe(200);
    expect(await ask(name, path, nested(33))).toEqual([400, `${name} is nested deeper than 32 levels.`]);
    expect(await ask(name, path, nested(2_000))).toEqual([400, `${name} is nested deeper than 32 levels.`]);
    expect(await ask(name, path, 'null', '{"uid":"ann"}')).toEqual([400, `${name} must be given only once.`]);
  }
});

test('[H497] rules read names such as `constructor` and `__proto__` only from the given principal', async () => {
  const { serving, make } = await openRooms();
  const rules = {
    ann: { '.read': "auth.uid === 'ann'" },
    made: { '.read': 'auth.constructor != null || auth.toString != null || auth.__proto__ != null' },
  };
  await put(serving, '/.settings/rules.json?ns=shop', { rules });
  const editor = (await make('editor')).memberToken;
  const isRead = async (path: string, as: string) => {
    const parameters = `path=${path}&as=${encodeURIComponent(as)}`;
    const page = await serving.ask(`/api/databases/shop/children?${parameters}`, { token: editor });
    const { ask } = await openSocket(serving, `as.${Buffer.from(as).toString('base64url')}.${editor}`);
    return [page.json['isDenied'] === false, (await ask('q', { p: path, h: '' }))['s'] === 'ok'];
  };
  expect(await isRead('/ann', '{"uid":"ann"}')).toEqual([true, true]);
  expect(await isRead('/ann', '{"__proto__":{"uid":"ann"}}')).toEqual([false, false]);
  expect(await isRead('/made', '{"uid":"ann"}')).toEqual([false, false]);
  expect(await isRead('/made', '{"constructor":1}')).toEqual([true, true]);
  expect(await isRead('/made', '{"__proto__":1}')).toEqual([true, true]);
});
