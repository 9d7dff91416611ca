import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Identity } from '../../access/principal.ts';
import { randomBytes } from '../../platform/random.ts';
import { memoryBooks, TestClock } from '../../records/memory-records.fixture.ts';
import { type Account, emptyAccount } from '../accounts/account.ts';
import { accountsBook, findAccount, removeAccount, saveAccount } from '../accounts/account-store.ts';
import { randomId } from '../accounts/field-parsers.ts';
import { addSession, endSession, endSessions } from '../sign-in/session-store.ts';
import { revokeLive } from './live-revocation.ts';

const BOOK = accountsBook('demo');

function identityOf(uid: string, iat: number, aud = 'demo'): Identity {
  return { kind: 'user', auth: { uid, token: { aud, iat } }, expiresAtMs: null };
}

async function open() {
  const clock = new TestClock();
  const books = memoryBooks(clock);
  const nowSec = Math.floor(clock.ms / 1000);
  const live: readonly Identity[] = [
    { kind: 'guest' },
    { kind: 'admin' },
    identityOf('ann', nowSec),
    identityOf('ann', nowSec + 20),
    identityOf('ann', nowSec, 'other'),
    identityOf('bob', nowSec),
  ];
  const revoked: Identity[] = [];
  let looks = 0;
  revokeLive(books, [
    {
      revokeCredentials: (isRevoked) => {
        looks += 1;
        revoked.push(...live.filter(isRevoked));
      },
    },
  ]);
  await books.change((turn) => {
    const book = turn.book(BOOK);
    for (const uid of ['ann', 'bob']) {
      saveAccount(book, undefined, emptyAccount(uid, turn.nowMs));
      addSession(book, session(uid, turn.nowMs));
    }
  });
  const change = (apply: (account: Account) => Account | undefined) =>
    books.change((turn) => {
      const book = turn.book(BOOK);
      const account = findAccount(book, 'ann');
      if (account === undefined) throw new Error('no account');
      const after = apply(account);
      if (after === undefined) removeAccount(book, account);
      else saveAccount(book, account, after);
      endSessions(book, 'ann');
    });
  return { books, nowSec, live, revoked, change, looks: () => looks };
}

function session(uid: string, nowMs: number) {
  return {
    id: randomId(22, randomBytes),
    uid,
    createdAtMs: nowMs,
    authTimeSec: Math.floor(nowMs / 1000),
    lastUsedAtMs: nowMs,
    provider: 'password',
    secondFactor: null,
    sessionClaims: null,
    signInAttributes: null,
    device: { userAgent: '', network: '' },
    seed: '',
    generation: 0,
    isRotating: true,
    rotatedAtMs: nowMs,
    previousRotatedAtMs: nowMs,
  };
}

test('[I530] whose account is disabled or deleted loses every live connection, and nobody else does', async () => {
  for (const apply of [(account: Account) => ({ ...account, isDisabled: true }), () => undefined]) {
    const { live, revoked, change } = await open();
    await change(apply);
    await expect.poll(() => revoked).toEqual(live.slice(2, 4));
  }
});

test('[I530] so does one without a session, which may have ended before the account did', async () => {
  for (const apply of [(account: Account) => ({ ...account, isDisabled: true }), () => undefined]) {
    const { books, live, revoked, change, looks } = await open();
    await books.change((turn) => {
      const book = turn.book(BOOK);
      for (const key of book.listKeys(['sessionsOf', 'ann'], { limit: 1 })) endSession(book, 'ann', key);
    });
    await setImmediate();
    expect([looks(), revoked]).toEqual([0, []]);
    await change(apply);
    await expect.poll(() => revoked).toEqual(live.slice(2, 4));
  }
});

test('[I530] after tokens are revoked, those from before that moment', async () => {
  const { nowSec, live, revoked, change } = await open();
  await change((account) => ({ ...account, validSinceSec: nowSec + 10 }));
  await expect.poll(() => revoked).toEqual([live[2]]);
});

test('[I531][I571] a session that merely ends, and one that begins, takes nothing from anybody', async () => {
  const { books, revoked, looks } = await open();
  await books.change((turn) => {
    const book = turn.book(BOOK);
    addSession(book, session('ann', turn.nowMs));
    for (const key of book.listKeys(['sessionsOf', 'bob'], { limit: 1 })) endSession(book, 'bob', key);
  });
  await setImmediate();
  expect([looks(), revoked]).toEqual([0, []]);
});

test.each<readonly [string, (account: Account) => Account | undefined]>([
  ['disabled', (account) => ({ ...account, isDisabled: true })],
  ['deleted', () => undefined],
  ['revoked', (account) => ({ ...account, validSinceSec: account.validSinceSec + 30 })],
])('[I570] an account that is %s is noticed by itself, whatever becomes of sessions', async (_, apply) => {
  const { books, live, revoked } = await open();
  await books.change((turn) => {
    const book = turn.book(BOOK);
    const account = findAccount(book, 'ann');
    if (account === undefined) throw new Error('no account');
    const after = apply(account);
    if (after === undefined) removeAccount(book, account);
    else saveAccount(book, account, after);
  });
  await expect.poll(() => revoked).toEqual(live.slice(2, 4));
});

test('[I571] an ordinary sign-in costs no look at the connections', async () => {
  const { books, looks, nowSec } = await open();
  const write = (account: Account | undefined) =>
    books.change((turn) => {
      if (account === undefined) throw new Error('no account');
      saveAccount(turn.book(BOOK), account, account);
    });
  const ann = books.read((view) => findAccount(view.book(BOOK), 'ann'));
  const revokedBefore = { ...emptyAccount('ann', 5), validSinceSec: nowSec - 100 };
  await write(ann && { ...ann, lastLoginAtMs: nowSec * 1_000 });
  await write({ ...revokedBefore, lastLoginAtMs: nowSec * 1_000 });
  await write({ ...revokedBefore, lastRefreshAtMs: nowSec * 1_000 });
  // A look that was asked for is due in this turn of the event loop.
  await setImmediate();
  expect(looks()).toBe(0);
  await books.change((turn) => removeAccount(turn.book(BOOK), revokedBefore));
  await expect.poll(looks).toBe(1);
});
