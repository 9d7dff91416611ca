import { get, set } from 'firebase/database';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { freshRef, openClient, sameRef } from '../drivers/sdk.ts';
import { proxyServer } from '../drivers/test-bed-client.ts';

// Must run before the SDK looks for WebSocket.
vi.hoisted(() => {
  Reflect.deleteProperty(globalThis, 'WebSocket');
});

describe('A browser without WebSockets', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test('[S246] without WebSockets a client polls automatically, and attempts nothing else', async () => {
    expect('WebSocket' in globalThis).toBe(false);
    const gateway = await proxyServer();
    const db = openClient(ns, { url: gateway.url, transport: 'chosen' });
    const other = openClient(ns, { transport: 'chosen' });
    const at = freshRef(db);
    const log = recordValues(sameRef(other, at));
    await set(at, { a: [1, 2, 3] });
    await untilValue(log, { a: [1, 2, 3] });
    expect((await get(sameRef(other, at))).val()).toEqual({ a: [1, 2, 3] });
    const kinds = (await gateway.addresses()).map((address) => address.split('?')[0]);
    expect(new Set(kinds)).toEqual(new Set(['/.lp']));
  });
});
