import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RevocationReason } from '../../access/live-connections.ts';
import type { Principal } from '../../access/principal.ts';
import { randomBytes } from '../../platform/random.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { type Account, emptyAccount } from '../accounts/account.ts';
import { accountRecords, findAccount, removeAccount, saveAccount } from '../accounts/account-store.ts';
import { randomId } from '../accounts/field-parsers.ts';
import { addSession, endSession, endSessions } from '../sign-in/session-store.ts';
import { projectScope } from '../tenants/scope.ts';
import { revokeLive } from './live-revocation.ts';

const RECORDS = accountRecords(projectScope('demo'));

function principalOf(uid: string, iat: number, aud = 'demo'): Principal {
  return { kind: 'user', auth: { uid, token: { aud, iat } }, expiresAtMs: null };
}

async function open() {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  const nowSec = Math.floor(clock.ms / 1000);
  const live: readonly Principal[] = [
    { kind: 'guest' },
    { kind: 'admin' },
    principalOf('ann', nowSec),
    principalOf('ann', nowSec + 20),
    principalOf('ann', nowSec, 'other'),
    principalOf('bob', nowSec),
  ];
  const revoked: Principal[] = [];
  const reasons: RevocationReason[] = [];
  let checks = 0;
  revokeLive(recordStore, [
    {
      revokeCredentials: (isRevoked, reason) => {
        if (reason === 'revoked') checks += 1;
        const found = live.filter(isRevoked);
        revoked.push(...found);
        if (found.length > 0) reasons.push(reason);
      },
    },
  ]);
  await recordStore.change((transaction) => {
    const records = transaction.records(RECORDS);
    for (const uid of ['ann', 'bob']) {
      saveAccount(records, undefined, emptyAccount(uid, transaction.nowMs));
      addSession(records, session(uid, transaction.nowMs));
    }
  });
  const change = (apply: (account: Account) => Account | undefined) =>
    recordStore.change((transaction) => {
      const records = transaction.records(RECORDS);
      const account = findAccount(records, 'ann');
      if (account === undefined) throw new Error('no account');
      const after = apply(account);
      if (after === undefined) removeAccount(records, account);
      else saveAccount(records, account, after);
      endSessions(records, 'ann');
    });
  return { recordStore, nowSec, live, revoked, reasons, change, checks: () => checks };
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

test('[I530] disabling or deleting an account ends all its live connections, and no others', async () => {
  for (const [apply, reason] of [
    [(account: Account) => ({ ...account, isDisabled: true }), 'revoked'],
    [() => undefined, 'deleted'],
  ] as const) {
    const { live, revoked, reasons, change } = await open();
    await change(apply);
    await expect.poll(() => revoked).toEqual(live.slice(2, 4));
    expect(reasons).toEqual([reason]);
  }
});

test('[I530] disabling or deleting an account also ends its live connections if it has no session', async () => {
  for (const apply of [(account: Account) => ({ ...account, isDisabled: true }), () => undefined]) {
    const { recordStore, live, revoked, change, checks } = await open();
    await recordStore.change((transaction) => {
      const records = transaction.records(RECORDS);
      for (const key of records.listKeys(['sessionsOf', 'ann'], { limit: 1 }))
        endSession(records, 'ann', key);
    });
    await setImmediate();
    expect([checks(), revoked]).toEqual([0, []]);
    await change(apply);
    await expect.poll(() => revoked).toEqual(live.slice(2, 4));
  }
});

test('[I530] revoking tokens ends the connections opened with earlier tokens', async () => {
  const { nowSec, live, revoked, change } = await open();
  await change((account) => ({ ...account, validSinceSec: nowSec + 10 }));
  await expect.poll(() => revoked).toEqual([live[2]]);
});

test('[I531][I571] live connections continue when a session ends, and when another session begins', async () => {
  const { recordStore, revoked, checks } = await open();
  await recordStore.change((transaction) => {
    const records = transaction.records(RECORDS);
    addSession(records, session('ann', transaction.nowMs));
    for (const key of records.listKeys(['sessionsOf', 'bob'], { limit: 1 })) endSession(records, 'bob', key);
  });
  await setImmediate();
  expect([checks(), revoked]).toEqual([0, []]);
});

test.each<readonly [string, (account: Account) => Account | undefined]>([
  ['is disabled', (account) => ({ ...account, isDisabled: true })],
  ['is deleted', () => undefined],
  ['has its tokens revoked', (account) => ({ ...account, validSinceSec: account.validSinceSec + 30 })],
])(
  '[I570] an account that %s loses its live connections even if its sessions do not change',
  async (_, apply) => {
    const { recordStore, live, revoked } = await open();
    await recordStore.change((transaction) => {
      const records = transaction.records(RECORDS);
      const account = findAccount(records, 'ann');
      if (account === undefined) throw new Error('no account');
      const after = apply(account);
      if (after === undefined) removeAccount(records, account);
      else saveAccount(records, account, after);
    });
    await expect.poll(() => revoked).toEqual(live.slice(2, 4));
  },
);

test('[I571] an ordinary sign-in causes no check of the connections', async () => {
  const { recordStore, checks, nowSec } = await open();
  const write = (account: Account | undefined) =>
    recordStore.change((transaction) => {
      if (account === undefined) throw new Error('no account');
      saveAccount(transaction.records(RECORDS), account, account);
    });
  const ann = recordStore.read((view) => findAccount(view.records(RECORDS), 'ann'));
  const revokedBefore = { ...emptyAccount('ann', 5), validSinceSec: nowSec - 100 };
  await write(ann && { ...ann, lastLoginAtMs: nowSec * 1_000 });
  await write({ ...revokedBefore, lastLoginAtMs: nowSec * 1_000 });
  await write({ ...revokedBefore, lastRefreshAtMs: nowSec * 1_000 });
  // A check would run before this promise resolves.
  await setImmediate();
  expect(checks()).toBe(0);
  await recordStore.change((transaction) => removeAccount(transaction.records(RECORDS), revokedBefore));
  await expect.poll(checks).toBe(1);
});
