import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { unsignedToken } from '../drivers/credentials.ts';
import { openNamespace, writeRules } from '../drivers/namespace.ts';
import { openOwnServer, proxyServer } from '../drivers/test-bed-client.ts';
import { until } from '../drivers/until.ts';

/** Long enough for a reconnection: a browser waits some seconds before each attempt, and longer after failures. */
const BACK_WITHIN_MS = 30_000;

type Received = readonly [name: string, data: unknown];

/** Opens an EventSource for the running test, and records its events. */
function openSource(
  address: string,
  base = inject('serverUrl'),
): { readonly source: EventSource; readonly received: Received[] } {
  const source = new EventSource(new URL(address, base));
  const received: Received[] = [];
  for (const name of ['put', 'patch', 'cancel', 'auth_revoked'])
    source.addEventListener(name, ({ data }: MessageEvent<string>) =>
      received.push([name, JSON.parse(data)]),
    );
  onTestFinished(() => source.close());
  return { source, received };
}

async function write(
  method: string,
  address: string,
  json: unknown,
  base = inject('serverUrl'),
): Promise<void> {
  const answer = await fetch(new URL(address, base), { method, body: JSON.stringify(json) });
  if (!answer.ok) throw new Error(`The write was rejected: ${answer.status} ${await answer.text()}`);
}

describe('EventSource', () => {
  test('[S290] a page of another origin receives the value first and every change from then on', async () => {
    const ns = await openNamespace();
    await write('PUT', `/a.json?ns=${ns}`, { text: 'é\u2028\n', list: [1] });
    const { source, received } = openSource(`/a.json?ns=${ns}`);
    expect(source.url.startsWith(location.origin)).toBe(false);
    await until(() => expect(received).toHaveLength(1));
    await write('PUT', `/a/b/c.json?ns=${ns}`, 5);
    await write('PATCH', `/a.json?ns=${ns}`, { x: 1, 'list/1': 2 });
    await until(() =>
      expect(received).toEqual([
        ['put', { path: '/', data: { text: 'é\u2028\n', list: [1] } }],
        ['put', { path: '/b/c', data: 5 }],
        ['patch', { path: '/', data: { x: 1, 'list/1': 2 } }],
      ]),
    );
  });

  test('[S291] a user signs in with the parameter `auth`, and receives `cancel` when new rules deny the path', {
    timeout: 2 * BACK_WITHIN_MS,
  }, async () => {
    const ns = await openNamespace({ rules: { '.read': 'auth != null', '.write': true } });
    const { source, received } = openSource(`/a.json?ns=${ns}&auth=${unsignedToken('jack')}`);
    await until(() => expect(received).toEqual([['put', { path: '/', data: null }]]));
    await writeRules(ns, { rules: { '.write': true } });
    await until(() => expect(received.at(-1)).toEqual(['cancel', 'Permission denied.']));
    // The source reconnects once, and is rejected.
    await until(() => expect(source.readyState).toBe(EventSource.CLOSED), BACK_WITHIN_MS);
    expect(received).toHaveLength(2);
  });

  test('[S292] a source that is rejected does not reconnect', async () => {
    const ns = await openNamespace({ rules: {} });
    const { source, received } = openSource(`/a.json?ns=${ns}`);
    await until(() => expect(source.readyState).toBe(EventSource.CLOSED));
    expect(received).toEqual([]);
  });

  test('[S293] a source whose connection is cut reconnects automatically and receives all data again', {
    timeout: 2 * BACK_WITHIN_MS,
  }, async () => {
    const ns = await openNamespace();
    const gateway = await proxyServer({ idleMs: 500 });
    const { received } = openSource(`/a.json?ns=${ns}`, gateway.url);
    await until(() => expect(received).toEqual([['put', { path: '/', data: null }]]));
    await write('PUT', `/a.json?ns=${ns}`, 1);
    await until(() => expect(received.at(-1)).toEqual(['put', { path: '/', data: 1 }]));
    const count = received.length;
    await until(() => expect(received.length).toBeGreaterThan(count), BACK_WITHIN_MS);
    expect(received.at(-1)).toEqual(['put', { path: '/', data: 1 }]);
  });

  test.each(['stop', 'kill'] as const)(
    '[S294] a source reconnects to a server that starts again after a `%s`',
    { timeout: 2 * BACK_WITHIN_MS },
    async (how) => {
      const server = await openOwnServer();
      await write('PUT', '/a.json', { kept: true }, server.url);
      const { source, received } = openSource('/a.json', server.url);
      await until(() => expect(received).toHaveLength(1));
      await server.end(how);
      await until(() => expect(source.readyState).toBe(EventSource.CONNECTING));
      await server.start();
      await until(() => expect(received).toHaveLength(2), BACK_WITHIN_MS);
      await write('PUT', '/a/more.json', 1, server.url);
      await until(() => expect(received).toHaveLength(3));
      expect(received).toEqual([
        ['put', { path: '/', data: { kept: true } }],
        ['put', { path: '/', data: { kept: true } }],
        ['put', { path: '/more', data: 1 }],
      ]);
    },
  );
});
