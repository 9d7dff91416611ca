import { set } from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { freshRef, openClient, sameRef } from '../drivers/sdk.ts';
import { tapServer } from '../drivers/test-bed-client.ts';
import { until } from '../drivers/until.ts';

describe('Connection', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  // This takes two and a quarter minutes: three keepalives of the SDK, 45 seconds apart.
  test('[S22] a connection that is idle for more than two minutes stays open', {
    timeout: 170_000,
  }, async () => {
    const tap = await tapServer();
    const db = openClient(ns, { url: tap.url });
    const at = freshRef(db);
    const log = recordValues(at);
    await log.untilEqual([['value', at.key, null]]);
    await until(async () => expect(await tap.countKeepalives()).toBe(3), 160_000);
    await set(sameRef(openClient(ns), at), 'after');
    await untilValue(log, 'after');
    const sockets = new Set((await tap.messages()).map(({ socket }) => socket));
    expect(sockets.size).toBe(1);
  });
});
