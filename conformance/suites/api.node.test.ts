import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../drivers/json.ts';
import { openDataDir, startServer } from '../drivers/server-process.ts';
import { until } from '../drivers/until.ts';

const OWNER = { authorization: 'Bearer owner' };

interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function call(url: string, headers: Readonly<Record<string, string>> = OWNER): Promise<ApiAnswer> {
  const answer = await fetch(inject('serverUrl') + url, { headers });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

async function json(url: string): Promise<JsonObject> {
  const { status, text } = await call(url);
  const body = parseJson(text);
  if (status !== 200 || !isJsonObject(body)) throw new Error(`${url}: ${status} ${text}`);
  return body;
}

/**
 * Returns the JSON values of a response with one value in each line. Omits progress lines, because their number depends
 * on the time. Fails the test unless the response is a success.
 */
async function lines(url: string): Promise<readonly Json[]> {
  const { status, text, headers } = await call(url);
  expect([status, headers.get('content-type')], text).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  expect(text.endsWith('\n')).toBe(true);
  const all = text.trimEnd().split('\n').map(parseJson);
  return all.filter((line) => !isJsonObject(line) || line['kind'] !== 'progress');
}

/** Creates a database with this JSON text, and returns the path of the database in the admin API. */
async function openDatabase(text: string, serverUrl = inject('serverUrl')): Promise<string> {
  const name = `api-${crypto.randomUUID()}`;
  const answer = await fetch(`${serverUrl}/.json?ns=${name}&print=silent`, { method: 'PUT', body: text });
  expect(answer.status).toBe(204);
  return `/api/databases/${name}`;
}

function keysOf({ children }: JsonObject): readonly Json[] {
  if (!Array.isArray(children)) throw new Error('The page has no children.');
  return children.map((child: Json) => (isJsonObject(child) ? (child['key'] ?? null) : null));
}

const NUMBERS = JSON.stringify({
  list: Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`k${1000 + index}`, 'x'.repeat(50)])),
});

const PEOPLE = JSON.stringify({
  people: {
    ada: { name: 'Ada Lovelace', born: 1815, 'title-é': 'Countess "of" Lovelace' },
    alan: { name: 'Alan Turing', born: 1912, '.priority': 'high' },
    kurt: { name: 'Kurt Gödel', born: 1906, alive: false },
  },
  ada: 'mentioned',
});

describe('permissions', () => {
  test('[H200] only an administrator has access, and only through the authorization header', async () => {
    const token = ['{"alg":"none"}', '{"sub":"u","iat":1,"exp":9999999999}', '']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
    for (const [url, headers] of [
      ['/api/databases', {}],
      ['/api/databases?auth=owner', {}],
      ['/api/databases?access_token=owner', {}],
      ['/api/databases/demo/children', {}],
      ['/api/databases/demo/search?text=x', { authorization: `Basic ${token}` }],
    ] as const)
      expect(await call(url, headers), url).toMatchObject({ status: 401 });
    const answer = await call('/api/databases', { ...OWNER, origin: 'http://localhost:8080' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('databases', () => {
  test('[H201] existing databases are listed by name, page by page', async () => {
    const data = await openDataDir();
    const server = await startServer({ dataDir: data.path });
    onTestFinished(async () => {
      await server.stop();
      await data.remove();
    });
    for (const name of ['b', 'a', 'c-1'])
      await fetch(`${server.url}/x.json?ns=${name}`, { method: 'PUT', body: '1' });
    const list = async (query: string): Promise<Json> => {
      const answer = await fetch(`${server.url}/api/databases${query}`, { headers: OWNER });
      return parseJson(await answer.text());
    };
    expect(await list('')).toEqual({
      databases: [{ name: 'a' }, { name: 'b' }, { name: 'c-1' }],
      next: null,
    });
    expect(await list('?limit=2')).toEqual({ databases: [{ name: 'a' }, { name: 'b' }], next: 'b' });
    expect(await list('?limit=2&after=b')).toEqual({ databases: [{ name: 'c-1' }], next: null });
    expect(await list('?after=c-1')).toEqual({ databases: [], next: null });
  });

  test.each(['children', 'count', 'size', 'search?text=x'])(
    '[H202] a request for %s of a database that does not exist gets 404',
    async (route) => {
      const { status, text } = await call(`/api/databases/never-written-to/${route}`);
      expect(status).toBe(404);
      expect(text).toBe(
        '{"error":"The database \\"never-written-to\\" does not exist. The first write creates it.","code":"http/not-found"}',
      );
    },
  );

  test.each([
    ['?limit=0', 'limit must be a whole number from 1 to 1000'],
    ['?limit=1001', 'limit must be'],
    ['?page=2', 'Unknown query parameter \\"page\\": use after, limit.'],
    ['?after=A_b', 'A database name has'],
    ['/No_name/count', 'A database name has'],
    ['/demo/children?path=/a.b', 'Invalid path'],
    [`/demo/children?path=${'/a'.repeat(33)}`, 'more than 32 levels'],
    ['/demo/children?limit=501', 'limit must be a whole number from 1 to 500'],
    ['/demo/children?limit=x', 'limit must be'],
    ['/demo/children?after=a&before=b', 'after and before exclude each other'],
    ['/demo/children?from=', 'Keys must be non-empty'],
    ['/demo/children?last=yes', 'last must be one of false, true, not \\"yes\\"'],
    ['/demo/count?before=a/b', 'Keys must be non-empty'],
    ['/demo/count?after=a', 'Unknown query parameter \\"after\\"'],
    ['/demo/size?limit=1', 'Unknown query parameter \\"limit\\"'],
    ['/demo/search', 'text must have 1 to'],
    ['/demo/search?text=', 'text must have 1 to'],
    [`/demo/search?text=${'x'.repeat(1025)}`, '1 to 1024 characters'],
    ['/demo/search?text=a&in=names', 'in must be one of both, keys, values'],
    ['/demo/search?text=a&match=regexp', 'match must be one of substring, prefix, exact'],
    ['/demo/search?text=a&case=no', 'case must be one of sensitive, insensitive'],
    ['/demo/search?text=a&limit=10001', 'limit must be a whole number from 1 to 10000'],
  ])('[H202] a request to /api/databases%s gets 400', async (url, sentence) => {
    const { status, text } = await call(`/api/databases${url}`);
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)]);
  });
});

describe('children', () => {
  test('[H203][H205] children are returned with their kinds and exact values, and long texts are cut', async () => {
    const database = await openDatabase(
      `{"a":{"x":1,"y":2},"big":9223372036854775807,"flag":true,"long":"${'é'.repeat(1025)}","p":{".value":"s",".priority":5}}`,
    );
    const { text } = await call(`${database}/children?path=/`);
    expect(text).toBe(
      '{"node":{"kind":"object","childCount":5,"isCountPartial":false,"priority":null},"children":[' +
        '{"key":"a","kind":"object","childCount":2,"isCountPartial":false,"priority":null,"preview":"{\\"x\\":1,\\"y\\":2}"},' +
        '{"key":"big","kind":"number","value":9223372036854775807,"isCut":false,"priority":null},' +
        '{"key":"flag","kind":"boolean","value":true,"isCut":false,"priority":null},' +
        `{"key":"long","kind":"string","value":"${'é'.repeat(1024)}","isCut":true,"priority":null},` +
        '{"key":"p","kind":"string","value":"s","isCut":false,"priority":5}' +
        '],"previous":null,"next":null}',
    );
    const none = { children: [], previous: null, next: null };
    expect(await json(`${database}/children?path=/a/x`)).toEqual({
      node: { kind: 'number', value: 1, isCut: false, priority: null },
      ...none,
    });
    expect(await json(`${database}/children?path=/none`)).toEqual({ node: null, ...none });
  });

  test('[H205] a large node is returned with the number of its children', async () => {
    const database = await openDatabase(NUMBERS);
    const { node, children } = await json(`${database}/children`);
    expect(node).toEqual({ kind: 'object', childCount: 1, isCountPartial: false, priority: null });
    expect(children).toEqual([
      { key: 'list', kind: 'object', childCount: 250, isCountPartial: false, preview: null, priority: null },
    ]);
  });

  test('[H203][H204] children are returned page by page, from either end and from any key', async () => {
    const list = `${await openDatabase(NUMBERS)}/children?path=list`;
    const first = await json(list);
    expect([keysOf(first).length, keysOf(first)[0], first['previous'], first['next']]).toEqual([
      100,
      'k1000',
      null,
      'k1099',
    ]);
    const second = await json(`${list}&after=k1099`);
    expect([keysOf(second)[0], second['previous'], second['next']]).toEqual(['k1100', 'k1100', 'k1199']);
    const last = await json(`${list}&last=true&limit=2`);
    expect([keysOf(last), last['previous'], last['next']]).toEqual([['k1248', 'k1249'], 'k1248', null]);
    const back = await json(`${list}&before=k1248&limit=2`);
    expect([keysOf(back), back['previous'], back['next']]).toEqual([['k1246', 'k1247'], 'k1246', 'k1247']);
    const middle = await json(`${list}&from=k10995&limit=2`);
    expect(keysOf(middle)).toEqual(['k1100', 'k1101']);
    expect(keysOf(await json(`${list}&from=k1100&limit=1`))).toEqual(['k1100']);
    expect(keysOf(await json(`${list}&limit=500`))).toHaveLength(250);
  });
});

test('[H820] a page leaves out the children that it skips', async () => {
  const list = `${await openDatabase(NUMBERS)}/children?path=list&limit=2`;
  expect(keysOf(await json(`${list}&skip=100`))).toEqual(['k1100', 'k1101']);
  expect(keysOf(await json(`${list}&from=k1100&skip=100`))).toEqual(['k1200', 'k1201']);
  expect(keysOf(await json(`${list}&after=k1100&skip=100`))).toEqual(['k1201', 'k1202']);
  expect(keysOf(await json(`${list}&skip=1000`))).toEqual(['k1248', 'k1249']);
  for (const wrong of ['&skip=6401', '&skip=-1', '&before=k1100&skip=1', '&last=true&skip=1'])
    expect((await call(`${list}${wrong}`)).status).toBe(400);
  expect((await call(`${list}&skip=1`, { ...OWNER, accept: 'text/event-stream' })).status).toBe(400);
});

describe('counts and sizes', () => {
  test('[H821] an outline counts the children and has keys at even distances', async () => {
    const database = await openDatabase(NUMBERS);
    const done = (count: number, keys: readonly string[]): Json => ({
      kind: 'done',
      count,
      stride: 100,
      keys,
    });
    expect(await lines(`${database}/outline?path=/list`)).toEqual([done(250, ['k1100', 'k1200'])]);
    expect(await lines(`${database}/outline`)).toEqual([done(1, [])]);
    expect(await lines(`${database}/outline?path=/none`)).toEqual([done(0, [])]);
    expect((await call(`${database}/outline?before=k1100`)).status).toBe(400);
  });

  test('[H206] a count includes all children, or those before a key', async () => {
    const database = await openDatabase(NUMBERS);
    const done = (count: number): Json => ({ kind: 'done', count });
    expect(await lines(`${database}/count?path=/list`)).toEqual([done(250)]);
    expect(await lines(`${database}/count?path=/list&before=k1100`)).toEqual([done(100)]);
    expect(await lines(`${database}/count`)).toEqual([done(1)]);
    expect(await lines(`${database}/count?path=/list/k1000`)).toEqual([done(0)]);
    expect(await lines(`${database}/count?path=/none`)).toEqual([done(0)]);
  });

  test('[H207] the size is the length of the JSON text in export form', async () => {
    const database = await openDatabase(NUMBERS);
    const { text } = await call(`/.json?format=export&ns=${database.split('/').at(-1)}`);
    expect(await lines(`${database}/size`)).toEqual([
      { kind: 'done', entries: 252, bytes: Buffer.byteLength(text) },
    ]);
    expect(await lines(`${database}/size?path=none`)).toEqual([{ kind: 'done', entries: 0, bytes: 0 }]);
  });
});

describe('search', () => {
  test.each([
    ['text=ada', ['key /ada', 'key /people/ada']],
    ['text=ada&case=insensitive', ['key /ada', 'key /people/ada', 'value /people/ada/name']],
    ['text=ada&case=insensitive&in=values', ['value /people/ada/name']],
    ['text=ada&in=keys&path=/people', ['key /people/ada']],
    ['text=19', ['value /people/alan/born', 'value /people/kurt/born']],
    ['text=19&path=people/kurt', ['value /people/kurt/born']],
    ['text=19&match=exact', []],
    ['text=1912&match=exact', ['value /people/alan/born']],
    ['text=lovelace&match=prefix&case=insensitive', []],
    ['text=Ada%20&match=prefix', ['value /people/ada/name']],
    ['text=%22of%22', ['value /people/ada/title-é']],
    ['text=G%C3%96DEL&case=insensitive', ['value /people/kurt/name']],
    ['text=%C3%A9&in=keys', ['key /people/ada/title-é']],
    ['text=false', ['value /people/kurt/alive']],
    ['text=high', []],
    ['text=mentioned&path=/ada', ['value /ada']],
  ])('[H208] a search with %s finds %j', async (query, expected) => {
    const found = (await lines(`${await openDatabase(PEOPLE)}/search?${query}`)).filter(isJsonObject);
    const done = found.at(-1);
    const hits = found.slice(0, -1).map(({ matched, path }) => `${matched} ${path}`);
    expect(hits).toEqual(expected);
    expect(done).toMatchObject({ kind: 'done', hits: expected.length, isComplete: true });
  });

  test('[H208] a hit contains the key and the value', async () => {
    const database = await openDatabase(PEOPLE);
    expect(await lines(`${database}/search?text=alan&case=insensitive`)).toEqual([
      {
        kind: 'hit',
        path: '/people/alan',
        matched: 'key',
        node: { kind: 'object', childCount: 2, isCountPartial: false, priority: 'high' },
      },
      {
        kind: 'hit',
        path: '/people/alan/name',
        matched: 'value',
        node: { kind: 'string', value: 'Alan Turing', isCut: false, priority: null },
      },
      { kind: 'done', entries: 1, bytes: expect.any(Number), hits: 2, isComplete: true },
    ]);
  });

  test('[H209] a search ends at its limit, and reports that it is not complete', async () => {
    const database = await openDatabase(NUMBERS);
    const limits = { '': 100, '&limit=7': 7 };
    for (const [query, limit] of Object.entries(limits)) {
      const found = await lines(`${database}/search?text=k1${query}`);
      expect(found).toHaveLength(limit + 1);
      expect(found.at(-1)).toMatchObject({ kind: 'done', hits: limit, isComplete: false });
    }
    const all = await lines(`${database}/search?text=k1&limit=10000`);
    expect(all.at(-1)).toMatchObject({ hits: 250, isComplete: true });
  });
});

/**
 * Data with search hits that are much larger than the buffers of the system for a client that reads nothing. In JSON,
 * each character of the values has six bytes.
 */
const MANY_LONG_HITS = JSON.stringify(
  Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`k${index}`, '\u0001'.repeat(1_000)])),
);

describe('responses in lines', () => {
  /** Starts a search whose lines the client does not read; returns the response and a function that cancels it. */
  async function beginSearch(serverUrl: string, database: string) {
    const controller = new AbortController();
    const url = `${serverUrl}${database}/search?text=k&limit=10000`;
    const answer = await fetch(url, { headers: OWNER, signal: controller.signal });
    return { answer, cancel: () => controller.abort() };
  }

  test('[H210] lines are not compressed, so that each arrives immediately', async () => {
    const database = await openDatabase(NUMBERS);
    const { headers } = await call(`${database}/search?text=k`, { ...OWNER, 'accept-encoding': 'gzip' });
    expect(headers.get('content-encoding')).toBeNull();
  });

  test('[H211][H212] a search waits for its client, ends when the client disconnects, and at most four run at a time', async () => {
    const serverUrl = inject('serverUrl');
    const database = await openDatabase(MANY_LONG_HITS);
    const begun = await Promise.all(Array.from({ length: 4 }, () => beginSearch(serverUrl, database)));
    onTestFinished(() => {
      for (const { cancel } of begun) cancel();
    });
    expect(begun.map(({ answer }) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(await call(`${database}/search?text=none`)).toMatchObject({
      status: 503,
      text: '{"error":"There are already 4 searches: wait until one of them ends, or end one.","code":"request/overload"}',
    });
    expect((await lines(`${database}/count`)).at(-1)).toEqual({ kind: 'done', count: 4_000 });
    begun[0]?.cancel();
    await until(async () => expect((await call(`${database}/search?text=none`)).status).toBe(200));
    const text = await begun[1]?.answer.text();
    expect(text).toMatch(/\{"kind":"done","entries":4001,.*"hits":4000,"isComplete":true\}\n$/);
  });

  test('[H213] searches are aborted when the server stops, and do not delay it', async () => {
    const data = await openDataDir();
    const server = await startServer({ dataDir: data.path });
    onTestFinished(async () => {
      await server.stop();
      await data.remove();
    });
    const database = await openDatabase(MANY_LONG_HITS, server.url);
    const { answer } = await beginSearch(server.url, database);
    const read = expect(answer.text()).rejects.toThrow();
    await Promise.all([server.stop(), read]);
  });
});
