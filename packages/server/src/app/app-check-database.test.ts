import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ServeOptions } from '../platform/serve-options.ts';
import { openServing, type Serving } from './serving.fixture.ts';

const APP = '1:1234:web:abcd';
const DEBUG_TOKEN = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const OPEN_RULES = '{"rules":{".read":true,".write":true}}';

async function setMode(serving: Serving, database: string): Promise<void> {
  const { status } = await serving.ask('/v2/projects/shop/config?updateMask=appCheckConfig', {
    method: 'PATCH',
    token: serving.token,
    body: { appCheckConfig: { database, apps: [APP] } },
  });
  expect(status).toBe(200);
}

/** Starts a server whose project has open rules and requires tokens for its database. Returns a token. */
async function openEnforcing(
  options: Partial<ServeOptions> = {},
): Promise<{ readonly serving: Serving; readonly token: string }> {
  const serving = await openServing(undefined, options);
  const { token: admin } = serving;
  const { json } = await serving.ask('/api/projects', { token: admin, body: { id: 'shop' } });
  const apiKey = String(json['apiKey']);
  await serving.ask('/.settings/rules.json?ns=shop', { method: 'PUT', token: admin, body: OPEN_RULES });
  await setMode(serving, 'ENFORCED');
  const app = `/v1/projects/shop/apps/${APP}`;
  await serving.ask(`${app}/debugTokens`, { token: admin, body: { displayName: 'CI', token: DEBUG_TOKEN } });
  const exchanged = await serving.ask(`${app}:exchangeDebugToken?key=${apiKey}`, {
    body: { debug_token: DEBUG_TOKEN },
  });
  return { serving, token: String(exchanged.json['token']) };
}

/** Opens a socket, sends requests, and returns what the server sends until `count` messages or its end. */
async function overSocket(
  serving: Serving,
  query: string,
  requests: readonly (readonly [action: string, body: object])[],
): Promise<readonly unknown[]> {
  const socket = new WebSocket(`${serving.app.url.replace('http', 'ws')}/.ws?v=5&ns=shop${query}`);
  onTestFinished(() => socket.terminate());
  const answers: unknown[] = [];
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => {
      answers.push('closed');
      resolve();
    });
    socket.on('message', (data) => {
      const { d } = JSON.parse(String(data));
      if (d.t === 'h') return;
      answers.push(d.a === undefined ? d.b.s : `${d.a} ${d.b.s} ${d.b.d}`);
      if (d.r === requests.length) resolve();
    });
  });
  await once(socket, 'open');
  for (const [index, [a, b]] of requests.entries())
    socket.send(JSON.stringify({ t: 'd', d: { r: index + 1, a, b } }));
  await ended;
  return answers;
}

const WRITE = ['p', { p: 'a', d: 1 }] as const;

test('[W190] a client without a valid token is asked for one and disconnected at its first request, and none of its requests is executed', async () => {
  const { serving } = await openEnforcing();
  const missing = ['apc invalid_token Missing appcheck token', 'closed'];
  const invalid = ['apc invalid_token Invalid appcheck token', 'closed'];
  expect(await overSocket(serving, '', [WRITE, WRITE])).toEqual(missing);
  expect(await overSocket(serving, '&ac=other', [WRITE])).toEqual(invalid);
  expect(await overSocket(serving, '', [['appcheck', { token: 'other' }], WRITE])).toEqual([
    'invalid_token',
    ...invalid,
  ]);
  expect((await serving.ask('/.json?ns=shop', { token: serving.token })).text).toBe('null');
  const audit = await serving.ask('/api/projects/shop/audit', { token: serving.token });
  expect(audit.text).toContain('app_check_rejected');
});

test('[W191] a client shows its token when it connects or later, and sends requests until it drops the token', async () => {
  const { serving, token } = await openEnforcing();
  expect(await overSocket(serving, `&ac=${token}`, [WRITE])).toEqual(['ok']);
  expect(await overSocket(serving, '', [['appcheck', { token }], WRITE])).toEqual(['ok', 'ok']);
  expect(await overSocket(serving, `&ac=${token}`, [['unappeck', {}], WRITE])).toEqual([
    'ok',
    'apc invalid_token Missing appcheck token',
    'closed',
  ]);
});

test('[W192] administrators need no token', async () => {
  const { serving } = await openEnforcing();
  expect(await overSocket(serving, '', [['gauth', { cred: serving.token }], WRITE])).toEqual(['ok', 'ok']);
});

test('[W193] a polling client needs a token as well', async () => {
  const { serving, token } = await openEnforcing();
  const poll = async (query: string): Promise<string> => {
    const start = await serving.ask(`/.lp?start=t&ns=shop&v=5&cb=1${query}`);
    const [, id, password] = /pLPCommand\('start','([^']+)','([^']+)'/.exec(start.text) ?? [];
    const request = encodeURIComponent(
      Buffer.from('{"t":"d","d":{"r":1,"a":"g","b":{"p":"a"}}}').toString('base64').replaceAll('=', '.'),
    );
    const answer = await serving.ask(`/.lp?id=${id}&pw=${password}&ser=1&ns=shop&seg0=0&ts0=1&d0=${request}`);
    return start.text + answer.text;
  };
  expect(await poll('')).toContain('Missing appcheck token');
  expect(await poll(`&ac=${token}`)).not.toContain('appcheck');
});

test('[W194] a REST request or an event stream without a valid token is rejected', async () => {
  const { serving, token } = await openEnforcing();
  const url = `${serving.app.url}/a.json?ns=shop`;
  const statusOf = async (more: string, init: RequestInit = {}): Promise<readonly unknown[]> => {
    const response = await fetch(`${url}${more}`, init);
    const text = response.ok ? '' : await response.text();
    await response.body?.cancel().catch(() => undefined);
    return [response.status, text];
  };
  const stream = { headers: { accept: 'text/event-stream' } };
  for (const init of [{}, stream, { method: 'PUT', body: '1' }]) {
    expect(await statusOf('', init)).toEqual([401, expect.stringContaining('Missing appcheck token')]);
    expect(await statusOf('&ac=x', init)).toEqual([401, expect.stringContaining('Invalid appcheck token')]);
    expect(await statusOf(`&ac=${token}`, init)).toEqual([200, '']);
  }
  expect(await statusOf('', { headers: { 'x-firebase-appcheck': token } })).toEqual([200, '']);
  expect(await statusOf(`&access_token=${serving.token}`)).toEqual([200, '']);
});

test('[W195] requests are counted while a project observes, and none is rejected', async () => {
  const { serving, token } = await openEnforcing();
  await setMode(serving, 'UNENFORCED');
  expect(await overSocket(serving, '', [WRITE])).toEqual(['ok']);
  expect(await overSocket(serving, `&ac=${token}`, [WRITE])).toEqual(['ok']);
  expect((await serving.ask('/a.json?ns=shop&ac=x')).status).toBe(200);
  const { json } = await serving.ask('/v1/projects/shop/appCheckRequests', { token: serving.token });
  expect(json['requests']).toMatchObject([
    { service: 'database', kind: 'invalid', count: 1 },
    { service: 'database', kind: 'missing', count: 1 },
    { service: 'database', kind: 'valid', app: APP, count: 1 },
  ]);
});

test('[W199] rejections behind a proxy are recorded with the address of the client', async () => {
  const { serving } = await openEnforcing({ trustProxy: ['127.0.0.1'] });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  await fetch(`${serving.app.url}/a.json?ns=shop`, { headers: from('203.0.113.1') });
  const socket = new WebSocket(`${serving.app.url.replace('http', 'ws')}/.ws?v=5&ns=shop`, {
    headers: from('203.0.113.2'),
  });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  socket.send(JSON.stringify({ t: 'd', d: { r: 1, a: 'g', b: { p: 'a' } } }));
  await once(socket, 'close');
  const poll = (query: string) =>
    fetch(`${serving.app.url}/.lp?ns=shop&${query}`, { headers: from('203.0.113.3') });
  const start = await (await poll('start=t&v=5&cb=1')).text();
  const [, id, password] = /pLPCommand\('start','([^']+)','([^']+)'/.exec(start) ?? [];
  const request = Buffer.from('{"t":"d","d":{"r":1,"a":"g","b":{"p":"a"}}}').toString('base64');
  await (await poll(`id=${id}&pw=${password}&ser=1&seg0=0&ts0=1&d0=${request.replaceAll('=', '.')}`)).text();
  await expect
    .poll(async () => (await serving.ask('/api/projects/shop/audit', { token: serving.token })).text)
    .toSatisfy((audit: string) =>
      ['203.0.113.1', '203.0.113.2', '203.0.113.3'].every((address) => audit.includes(address)),
    );
});
