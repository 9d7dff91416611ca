import {
  child,
  equalTo,
  get,
  limitToFirst,
  limitToLast,
  orderByChild,
  orderByKey,
  query,
  remove,
  set,
  startAt,
} from 'firebase/database';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { keysOf, recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { freshRef, openClient, openPair, pathOf, sameRef, settle } from '../drivers/sdk.ts';
import { tapServer } from '../drivers/test-bed-client.ts';

// A window is the part of a node's children that a query with a limit or a range selects.
describe('Ordering and queries', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  async function openLocation(value: unknown) {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer, 'indexed');
    await set(at, value);
    return { at, seen: sameRef(reader, at), reader };
  }

  test('[S136] each of two windows at one node receives only its own changes', async () => {
    const { at, seen } = await openLocation({ a: 1, b: 2, c: 3, d: 4 });
    const first = recordValues(query(seen, orderByKey(), limitToFirst(2)));
    const last = recordValues(query(seen, orderByKey(), limitToLast(2)));
    await untilValue(first, { a: 1, b: 2 });
    await untilValue(last, { c: 3, d: 4 });
    await set(child(at, 'e'), 5);
    await untilValue(last, { d: 4, e: 5 });
    await remove(child(at, 'a'));
    await untilValue(first, { b: 2, c: 3 });
    expect([first.events.length, last.events.length]).toEqual([2, 2]);
  });

  test('[S137] windows that share children and then diverge stay correct', async () => {
    const { at, seen, reader } = await openLocation({ a: { n: 1 }, b: { n: 2 }, c: { n: 3 } });
    const byN = recordValues(query(seen, orderByChild('n'), limitToLast(2)));
    const byKey = recordValues(query(seen, orderByKey(), limitToLast(2)));
    await untilValue(byN, { b: { n: 2 }, c: { n: 3 } });
    await untilValue(byKey, { b: { n: 2 }, c: { n: 3 } });
    await set(child(at, 'a/n'), 9);
    await untilValue(byN, { a: { n: 9 }, c: { n: 3 } });
    await set(child(at, 'c/x'), 1);
    await untilValue(byN, { a: { n: 9 }, c: { n: 3, x: 1 } });
    await untilValue(byKey, { b: { n: 2 }, c: { n: 3, x: 1 } });
    await settle(reader);
    expect([byN.events.length, byKey.events.length]).toEqual([3, 2]);
  });

  test('[S138] a window next to a listener of the whole node sends no second listen', async () => {
    const tap = await tapServer();
    const reader = openClient(ns, { url: tap.url });
    const at = freshRef(reader, 'indexed');
    await set(at, { a: 1, b: 2, c: 3 });
    const whole = recordValues(at);
    await untilValue(whole, { a: 1, b: 2, c: 3 });
    const window = recordValues(query(at, limitToLast(1)));
    await untilValue(window, { c: 3 });
    await set(child(sameRef(openClient(ns), at), 'd'), 4);
    await untilValue(window, { d: 4 });
    await settle(reader);
    const listens = (await tap.messages()).filter(
      ({ action, body }) => action === 'q' && body['p'] === `/${pathOf(at)}`,
    );
    expect(listens).toHaveLength(1);
  });

  test('[S139] when the listener of the whole node is removed, a remaining window still receives changes', async () => {
    const { at, seen, reader } = await openLocation({ a: 1, b: 2, c: 3 });
    const whole = recordValues(seen);
    const window = recordValues(query(seen, limitToLast(1)));
    await untilValue(window, { c: 3 });
    await untilValue(whole, { a: 1, b: 2, c: 3 });
    whole.close();
    await settle(reader);
    await set(child(at, 'd'), 4);
    await untilValue(window, { d: 4 });
    await remove(child(at, 'd'));
    await untilValue(window, { c: 3 });
  });

  test('[S140] an ordered query without a limit shares one listen with a plain listener, and continues when that listener is removed', async () => {
    const tap = await tapServer();
    const reader = openClient(ns, { url: tap.url });
    const at = freshRef(reader, 'indexed');
    await set(at, { a: { n: 2 }, b: { n: 1 } });
    const plain = recordValues(at);
    const ordered = recordValues(query(at, orderByChild('n')));
    await untilValue(plain, { a: { n: 2 }, b: { n: 1 } });
    await untilValue(ordered, { a: { n: 2 }, b: { n: 1 } });
    plain.close();
    await set(child(sameRef(openClient(ns), at), 'c/n'), 0);
    await untilValue(ordered, { a: { n: 2 }, b: { n: 1 }, c: { n: 0 } });
    const path = `/${pathOf(at)}`;
    const sent = (await tap.messages()).filter(
      ({ action, body }) => (action === 'q' || action === 'n') && body['p'] === path,
    );
    expect(sent.map(({ action }) => action)).toEqual(['q']);
  });

  test('[S141] a query below a listener and a listener below a query both work', async () => {
    const { at, seen } = await openLocation({ list: { a: 1, b: 2, c: 3 }, other: 1 });
    const window = recordValues(query(child(seen, 'list'), limitToLast(2)));
    const leaf = recordValues(child(seen, 'list/a'));
    const above = recordValues(seen);
    await untilValue(window, { b: 2, c: 3 });
    await untilValue(leaf, 1);
    await untilValue(above, { list: { a: 1, b: 2, c: 3 }, other: 1 });
    await set(child(at, 'list'), { a: 10, c: 3, d: 4 });
    await untilValue(window, { c: 3, d: 4 });
    await untilValue(leaf, 10);
    await untilValue(above, { list: { a: 10, c: 3, d: 4 }, other: 1 });
  });

  test('[S142] a listener on a child stays whole when the child leaves the window above it', async () => {
    const { at, seen } = await openLocation({ a: { n: 1, t: 'x' }, b: { n: 2 }, c: { n: 3 } });
    const window = recordValues(query(seen, orderByChild('n'), limitToFirst(1)));
    const own = recordValues(child(seen, 'a'));
    await untilValue(window, { a: { n: 1, t: 'x' } });
    await untilValue(own, { n: 1, t: 'x' });
    await set(child(at, 'a/n'), 9);
    await untilValue(window, { b: { n: 2 } });
    await untilValue(own, { n: 9, t: 'x' });
    await set(child(at, 'a/t'), 'y');
    await untilValue(own, { n: 9, t: 'y' });
    expect(own.events).toHaveLength(3);
  });

  test('[S143] two listeners of equal queries share one listen, and one continues when the other is removed', async () => {
    const tap = await tapServer();
    const reader = openClient(ns, { url: tap.url });
    const at = freshRef(reader, 'indexed');
    await set(at, { a: { n: 1 } });
    const one = recordValues(query(at, orderByChild('n'), equalTo(1)));
    const two = recordValues(query(at, orderByChild('n'), equalTo(1)));
    await untilValue(two, { a: { n: 1 } });
    one.close();
    await set(child(sameRef(openClient(ns), at), 'b/n'), 1);
    await untilValue(two, { a: { n: 1 }, b: { n: 1 } });
    const listens = (await tap.messages()).filter(
      ({ action, body }) => action === 'q' && body['p'] === `/${pathOf(at)}`,
    );
    expect(listens).toHaveLength(1);
    expect(one.events).toHaveLength(1);
  });

  test('[S144] a removed window gets no further events, and another window at the node continues', async () => {
    const { at, seen, reader } = await openLocation({ a: 1, b: 2 });
    const gone = recordValues(query(seen, limitToFirst(1)));
    const stays = recordValues(query(seen, limitToLast(1)));
    await untilValue(gone, { a: 1 });
    await untilValue(stays, { b: 2 });
    gone.close();
    await set(child(at, '0'), 0);
    await set(child(at, 'c'), 3);
    await untilValue(stays, { c: 3 });
    await settle(reader);
    expect(gone.events).toHaveLength(1);
  });

  test('[S145] listening by a child without index works, with a warning that names the index', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: { w: 2 }, b: { w: 1 }, c: { w: 3 } });
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const log = recordValues(query(sameRef(reader, at), orderByChild('w'), limitToFirst(2)));
    await untilValue(log, { a: { w: 2 }, b: { w: 1 } });
    await settle(reader);
    const warnings = warn.mock.calls.map((words) => words.join(' '));
    warn.mockRestore();
    expect(warnings.join('\n')).toContain(`".indexOn": "w" at /${pathOf(at)}`);
    await set(child(at, 'd/w'), 0);
    await untilValue(log, { b: { w: 1 }, d: { w: 0 } });
  });

  test('[S146] listening by an indexed child gives no warning', async () => {
    const { at, reader, seen } = await openLocation({ a: { n: 2 } });
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const log = recordValues(query(seen, orderByChild('n'), startAt(1)));
    await untilValue(log, { a: { n: 2 } });
    await settle(reader);
    const warnings = warn.mock.calls.map((words) => words.join(' '));
    warn.mockRestore();
    expect(warnings.filter((text) => text.includes(pathOf(at)))).toEqual([]);
  });

  test('[S147] snapshots of a query iterate in its order, not in key order', async () => {
    const { seen } = await openLocation({ a: { n: 3 }, b: { n: 1 }, c: { n: 2 } });
    expect(keysOf(await get(query(seen, orderByChild('n'), limitToFirst(3))))).toEqual(['b', 'c', 'a']);
  });
});
