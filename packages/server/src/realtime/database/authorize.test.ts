import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQuery } from '@hearth/core/query/fields.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuthorizationRequest, RequestContext } from '../../access/authorization-request.ts';
import { ADMIN, ANONYMOUS, type Principal } from '../../access/principal.ts';
import { openTestServer, type TestServer } from '../model/test-server.fixture.ts';
import {
  authorizeStored,
  canAuthorizeWithoutValue,
  isReadable,
  mayRead,
  requireMayBeAllowed,
} from './authorize.ts';
import { requireAllowedNow } from './write.ts';
import { parseUpdate } from './write-input.ts';

const USER: Principal = { kind: 'user', auth: { uid: 'u1' }, expiresAtMs: null };
const NOW_MS = 5_000;

let directory: string;
let server: TestServer;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-permission-'));
  server = await openTestServer(directory, () => NOW_MS);
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

function putRules(rules: unknown): Promise<number> {
  return server.databases.writeRules('d', ADMIN, JSON.stringify({ rules }));
}

async function write(
  fields: Readonly<Record<string, unknown>>,
  identity: Principal = ADMIN,
): Promise<string> {
  const writes = parseUpdate(parsePath(''), fields);
  try {
    await server.databases.write('d', { operation: 'merge', identity, writes });
    return 'ok';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

function read(context: RequestContext, path: string, query: unknown): Promise<boolean> {
  const target = { path: parsePath(path), query: query === null ? null : parseQuery(query) };
  return server.scheduler.request((transaction) =>
    mayRead(transaction, server.databases.open('d', transaction), context, target),
  );
}

test('[R230] rules see the current data, including earlier writes of the same transaction', async () => {
  await putRules({ '.write': "data.child('count').val() === newData.child('count').val() - 1" });
  await write({ count: 0 });
  const together = [1, 2, 2, 3].map((count) => write({ count }, ANONYMOUS));
  await expect(Promise.all(together)).resolves.toEqual(['ok', 'ok', 'access/denied', 'ok']);
});

test('[R231] placeholders are resolved before rules are evaluated, and timestamps are `now`', async () => {
  await putRules({
    '.write': true,
    at: { '.validate': 'newData.val() === now' },
    count: { '.validate': 'newData.isNumber() && newData.val() <= 2' },
  });
  const more = { '.sv': { increment: 1 } };
  await expect(write({ at: { '.sv': 'timestamp' } }, ANONYMOUS)).resolves.toBe('ok');
  await expect(write({ at: NOW_MS - 1 }, ANONYMOUS)).resolves.toBe('access/denied');
  for (const outcome of ['ok', 'ok', 'access/denied'])
    await expect(write({ count: more }, ANONYMOUS)).resolves.toBe(outcome);
});

test('[R231] an increment beyond the number range is rejected before rules are evaluated', async () => {
  await putRules({ '.write': false });
  await write({ count: 1e308 });
  await expect(write({ count: { '.sv': { increment: 1.7e308 } } }, ANONYMOUS)).resolves.toBe(
    'server-value/overflow',
  );
});

test.each([
  ['listen', null, 'query.orderByKey == false && query.limitToFirst == null', true],
  ['get', {}, 'query.orderByPriority == false && query.orderByKey == false', true],
  ['get', { l: 5, vf: 'l' }, 'query.orderByPriority && query.limitToFirst == 5', true],
  ['listen', { i: 'n', l: 3, vf: 'r' }, "query.orderByChild == 'n' && query.limitToLast <= 3", true],
  ['listen', { i: 'n', l: 4, vf: 'r' }, "query.orderByChild == 'n' && query.limitToLast <= 3", false],
  ['listen', null, 'query.limitToFirst <= 3', false],
  ['GET', null, 'query.orderByKey', true],
  ['stream', null, 'query.orderByKey', true],
  ['get', null, 'query.orderByKey', false],
] as const)(
  '[R232] for a %s of the query %j, the rule %s is %s',
  async (operation, query, rule, expected) => {
    await putRules({ list: { '.read': rule } });
    await expect(read({ operation, identity: ANONYMOUS }, 'list', query)).resolves.toBe(expected);
  },
);

test('[R233] rules do not apply to an administrator', async () => {
  await putRules({ '.read': false, '.write': false, a: { '.validate': false } });
  await expect(write({ a: 1 }, ADMIN)).resolves.toBe('ok');
  await expect(read({ operation: 'get', identity: ADMIN }, 'a', null)).resolves.toBe(true);
});

test('[R234] each decision of rules is reported within the transaction, with its request', async () => {
  await putRules({ a: { '.write': 'auth != null' } });
  const reported: [AuthorizationRequest['name'], boolean][] = [];
  server.databases.open('d').decisions = {
    notify: (_transaction, { name }, isAllowed) => reported.push([name, isAllowed]),
  };
  await write({ a: 1 }, USER);
  await write({ a: 1 }, ANONYMOUS);
  await write({ a: 1 }, ADMIN);
  await read({ operation: 'listen', identity: USER }, 'a', null);
  expect(reported).toEqual([
    ['merge', true],
    ['merge', false],
    ['listen', false],
  ]);
});

test('[R234] reads of the server itself are not reported, and a write of a stored value is reported once', async () => {
  await putRules({ a: { '.read': true, '.write': true } });
  const reported: [AuthorizationRequest['name'], boolean][] = [];
  const database = server.databases.open('d');
  database.decisions = {
    notify: (_transaction, { name, isUnrepeatable }) => reported.push([name, isUnrepeatable]),
  };
  const context: RequestContext = { operation: 'PUT', identity: ANONYMOUS };
  const path = parsePath('a');
  await server.scheduler.request((transaction) => {
    isReadable(transaction, database, context, { path, query: null });
    requireMayBeAllowed(transaction, database, context, path);
    authorizeStored(transaction, database, context, [{ path, stored: {}, findNode: () => null }]);
  });
  expect(reported).toEqual([['PUT', true]]);
});

test('[R235] a write on disconnect must be allowed when it is requested', async () => {
  await putRules({ a: { '.write': 'auth != null', '.validate': 'newData.isNumber()' } });
  const mayLater = (value: unknown, identity: Principal): Promise<unknown> =>
    server.scheduler.request((transaction) =>
      requireAllowedNow(
        transaction,
        server.databases.open('d', transaction),
        { operation: 'onDisconnectPut', identity },
        parseUpdate(parsePath(''), { a: value }),
      ),
    );
  await expect(mayLater(1, USER)).resolves.toBeUndefined();
  await expect(mayLater('x', USER)).rejects.toMatchObject({ code: 'access/denied' });
  await expect(mayLater(1, ANONYMOUS)).rejects.toMatchObject({ code: 'access/denied' });
  await expect(mayLater('x', ADMIN)).resolves.toBeUndefined();
});

function ruleSet(rules: unknown): RuleSet {
  return parseRules(JSON.stringify({ rules }));
}

test.each([
  [{ '.write': true }, 'a/b', true],
  [{ '.write': "auth.uid === 'u1' && !data.exists()" }, 'a/b', true],
  [{ '.write': 'newData.exists()' }, 'a/b', false],
  [{ a: { '.write': "!(auth.name + newData.child('x').val() == '')" } }, 'a/b', false],
  [{ '.write': true, a: { '.validate': true } }, 'a/b', false],
  [{ '.write': true, a: { b: { $c: { d: { '.validate': true } } } } }, 'a/b', false],
  [{ '.write': true, a: { $b: { '.validate': true } } }, 'a/b', false],
  [{ '.write': true, other: { '.validate': true } }, 'a/b', true],
  [{ '.write': true, a: { b: { '.write': 'newData.exists()' } } }, 'a', true],
] as const)(
  '[R236] the rules %j can authorize a write at %s without its value: %j',
  (rules, path, expected) => {
    expect(canAuthorizeWithoutValue(ruleSet(rules), parsePath(path), USER)).toBe(expected);
    expect(canAuthorizeWithoutValue(ruleSet(rules), parsePath(path), ADMIN)).toBe(true);
  },
);

test.each([
  [{ '.write': false }, false],
  [{ '.write': "auth.uid === 'u2'" }, false],
  [{ '.write': 'newData.exists()' }, true],
  [{ '.write': "auth.uid === 'u2' && newData.exists()" }, true],
  [{ '.write': true, '.validate': 'false' }, true],
  [{ a: { '.write': 'now < 0' } }, false],
  [{ a: { b: { '.write': true } } }, false],
] as const)(
  '[R236] the rules %j may allow a value at a before it is known: %j',
  async (rules, mayBeAllowed) => {
    await putRules(rules);
    const asked = server.scheduler.request((transaction) => {
      const database = server.databases.open('d', transaction);
      requireMayBeAllowed(transaction, database, { operation: 'PUT', identity: USER }, parsePath('a'));
    });
    if (mayBeAllowed) await expect(asked).resolves.toBeUndefined();
    else await expect(asked).rejects.toMatchObject({ code: 'access/denied' });
  },
);
