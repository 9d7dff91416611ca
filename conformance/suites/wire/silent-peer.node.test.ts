import { beforeAll, describe, expect, test } from 'vitest';
import { openNamespace } from '../../drivers/namespace.ts';
import { openRawSocket } from '../../drivers/socket.ts';
import { until } from '../../drivers/until.ts';

describe('onDisconnect', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test('[W114] a connection that answers no ping is treated as lost', { timeout: 150_000 }, async () => {
    const leaver = await openRawSocket(ns, { autoPong: false });
    const watcher = await openRawSocket(ns);
    await watcher.request('q', { p: '/silent', h: '' });
    await leaver.request('o', { p: '/silent', d: 'gone' });
    watcher.received();
    await until(() => expect(watcher.received()).toEqual([['d', { p: 'silent', d: 'gone' }]]), 140_000);
  });
});
