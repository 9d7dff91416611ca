import { expect, test } from 'vitest';
import { Api, ApiError, type ApiRequest } from '../../../api/client.ts';
import { pathOf } from '../model/node-path.ts';
import { findStale, type StalePaths } from './apply.ts';
import type { StagedList } from './store.ts';

/** Fake API with values by path. The hash of a value is its text. Counts requests. */
class CountingApi extends Api {
  readonly values = new Map<string, string>();
  requests = 0;
  /** Maximum number of concurrent requests. */
  most = 0;
  #running = 0;

  constructor() {
    super(null);
  }

  override async send(address: string, request: ApiRequest): Promise<Response> {
    this.requests += 1;
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    await Promise.resolve();
    this.#running -= 1;
    if (address.endsWith('/changes')) return this.#compare(String(request.text));
    if (address.endsWith('/size')) return new Response('{"kind":"done","bytes":1}');
    const text = this.values.get(address.replace('.json', '')) ?? 'null';
    return new Response(text, { headers: { etag: text } });
  }

  #compare(body: string): Response {
    const { expected }: { readonly expected: Readonly<Record<string, string>> } = JSON.parse(body);
    const stale = Object.keys(expected).flatMap((path) => {
      const current = this.values.get(path) ?? 'null';
      return current === expected[path] ? [] : [[path, current]];
    });
    if (stale.length === 0) return new Response('{}');
    throw new ApiError(412, 'stale', 'write/stale', { stale: Object.fromEntries(stale) });
  }
}

const NONE: StalePaths = new Map();
const LIST: StagedList = Array.from({ length: 1_000 }, (_, group) => ({
  path: pathOf([`k${group}`]),
  before: { text: '1', hash: '1' },
  text: '2',
  group,
}));

test('[C405] one request checks all staged paths, and each path that others changed is read once', async () => {
  const api = new CountingApi();
  async function check(known: StalePaths) {
    api.requests = 0;
    const found = await findStale(api, 'd', LIST, known);
    return { found, requests: api.requests };
  }
  for (const { path } of LIST) api.values.set(path, '1');
  expect(await check(NONE)).toEqual({ found: NONE, requests: 1 });

  for (const { path } of LIST) api.values.set(path, '5');
  const all = await check(NONE);
  expect(all.found.size).toBe(1_000);
  expect(all.requests).toBe(2_001);
  expect(api.most).toBeLessThanOrEqual(6);
  expect(await check(all.found)).toEqual({ found: all.found, requests: 1 });

  api.values.set('/k7', '6');
  api.values.set('/k8', '1');
  const later = await check(all.found);
  expect(later.requests).toBe(3);
  expect(later.found.size).toBe(999);
  expect(later.found.get(pathOf(['k7']))?.current).toEqual({ text: '6', hash: '6' });
  expect(later.found.has(pathOf(['k8']))).toBe(false);
});
