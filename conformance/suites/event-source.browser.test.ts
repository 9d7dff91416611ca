import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { unsignedToken } from '../drivers/credentials.ts';
import { openNamespace, writeRules } from '../drivers/namespace.ts';
import { guardServer, openOwnServer } from '../drivers/test-bed-client.ts';
import { until } from '../drivers/until.ts';

/** A browser waits for some seconds before it comes back, and longer when it was in vain. */
const BACK_WITHIN_MS = 30_000;

type Heard = readonly [name: string, data: unknown];

/** An EventSource of the running test, and what it has heard. */
function openSource(
  address: string,
  base = inject('serverUrl'),
): { readonly source: EventSource; readonly heard: Heard[] } {
  const source = new EventSource(new URL(address, base));
  const heard: Heard[] = [];
  for (const name of ['put', 'patch', 'cancel', 'auth_revoked'])
    source.addEventListener(name, ({ data }: MessageEvent<string>) => heard.push([name, JSON.parse(data)]));
  onTestFinished(() => source.close());
  return { source, heard };
}

async function write(
  method: string,
  address: string,
  json: unknown,
  base = inject('serverUrl'),
): Promise<void> {
  const answer = await fetch(new URL(address, base), { method, body: JSON.stringify(json) });
  if (!answer.ok) throw new Error(`The write was refused: ${answer.status} ${await answer.text()}`);
}

describe('EventSource', () => {
  test('[S290] a page of another origin hears the value and every change', async () => {
    const ns = await openNamespace();
    await write('PUT', `/a.json?ns=${ns}`, { text: 'é\u2028\n', list: [1] });
    const { source, heard } = openSource(`/a.json?ns=${ns}`);
    expect(source.url.startsWith(location.origin)).toBe(false);
    await until(() => expect(heard).toHaveLength(1));
    await write('PUT', `/a/b/c.json?ns=${ns}`, 5);
    await write('PATCH', `/a.json?ns=${ns}`, { x: 1, 'list/1': 2 });
    await until(() =>
      expect(heard).toEqual([
        ['put', { path: '/', data: { text: 'é\u2028\n', list: [1] } }],
        ['put', { path: '/b/c', data: 5 }],
        ['patch', { path: '/', data: { x: 1, 'list/1': 2 } }],
      ]),
    );
  });

  test('[S291] a user signs in with a parameter, and is told when rules close the place', {
    timeout: 2 * BACK_WITHIN_MS,
  }, async () => {
    const ns = await openNamespace({ rules: { '.read': 'auth != null', '.write': true } });
    const { source, heard } = openSource(`/a.json?ns=${ns}&auth=${unsignedToken('jack')}`);
    await until(() => expect(heard).toEqual([['put', { path: '/', data: null }]]));
    await writeRules(ns, { rules: { '.write': true } });
    await until(() => expect(heard.at(-1)).toEqual(['cancel', 'Permission denied.']));
    // It comes back once, and is refused.
    await until(() => expect(source.readyState).toBe(EventSource.CLOSED), BACK_WITHIN_MS);
    expect(heard).toHaveLength(2);
  });

  test('[S292] a source that is refused gives up', async () => {
    const ns = await openNamespace({ rules: {} });
    const { source, heard } = openSource(`/a.json?ns=${ns}`);
    await until(() => expect(source.readyState).toBe(EventSource.CLOSED));
    expect(heard).toEqual([]);
  });

  test('[S293] a source whose connection was cut comes back by itself, and hears everything anew', {
    timeout: 2 * BACK_WITHIN_MS,
  }, async () => {
    const ns = await openNamespace();
    const gateway = await guardServer({ idleMs: 500 });
    const { heard } = openSource(`/a.json?ns=${ns}`, gateway.url);
    await until(() => expect(heard).toEqual([['put', { path: '/', data: null }]]));
    await write('PUT', `/a.json?ns=${ns}`, 1);
    await until(() => expect(heard.at(-1)).toEqual(['put', { path: '/', data: 1 }]));
    const count = heard.length;
    await until(() => expect(heard.length).toBeGreaterThan(count), BACK_WITHIN_MS);
    expect(heard.at(-1)).toEqual(['put', { path: '/', data: 1 }]);
  });

  test.each(['stop', 'kill'] as const)(
    '[S294] a source comes back to a server that was started again; %s',
    { timeout: 2 * BACK_WITHIN_MS },
    async (how) => {
      const server = await openOwnServer();
      await write('PUT', '/a.json', { kept: true }, server.url);
      const { source, heard } = openSource('/a.json', server.url);
      await until(() => expect(heard).toHaveLength(1));
      await server.end(how);
      await until(() => expect(source.readyState).toBe(EventSource.CONNECTING));
      await server.start();
      await until(() => expect(heard).toHaveLength(2), BACK_WITHIN_MS);
      await write('PUT', '/a/more.json', 1, server.url);
      await until(() => expect(heard).toHaveLength(3));
      expect(heard).toEqual([
        ['put', { path: '/', data: { kept: true } }],
        ['put', { path: '/', data: { kept: true } }],
        ['put', { path: '/more', data: 1 }],
      ]);
    },
  );
});
