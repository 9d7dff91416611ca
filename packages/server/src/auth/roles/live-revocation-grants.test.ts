import { setImmediate } from 'node:timers/promises';
import type { AdminRole } from '@hearth/core/api/service-account.ts';
import { expect, test } from 'vitest';
import type { RevocationReason } from '../../access/live-connections.ts';
import type { Principal } from '../../access/principal.ts';
import { randomBytes } from '../../platform/random.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { INSTALLATION } from '../../records/store.ts';
import { encodeServiceAccount } from '../projects/service-account.ts';
import { ServiceAccounts } from '../projects/service-accounts.ts';
import { revokeLiveGrants } from './live-revocation.ts';

const EMAIL = 'admin@shop.hearth.internal';
const OTHER = 'other@shop.hearth.internal';

async function open() {
  const recordStore = memoryRecordStore(new TestClock());
  const accounts = new ServiceAccounts({ recordStore, randomBytes });
  for (const name of ['admin', 'other']) await accounts.create('shop', name, ['database.admin']);
  const createKey = async (email: string): Promise<string> => {
    const creation = await accounts.createKey(email, 'https://hearth.test/token');
    if (creation.kind !== 'created') throw new Error(creation.kind);
    return creation.keyFile.private_key_id;
  };
  const first = { kind: 'service-account', serviceAccount: EMAIL, keyId: await createKey(EMAIL) } as const;
  const second = { kind: 'service-account', serviceAccount: EMAIL, keyId: await createKey(EMAIL) } as const;
  const third = { kind: 'service-account', serviceAccount: OTHER, keyId: await createKey(OTHER) } as const;
  const live: readonly Principal[] = [
    { kind: 'admin', expiresAtMs: 1, grant: first },
    { kind: 'user', auth: { uid: 'ann' }, expiresAtMs: 1, grant: first },
    { kind: 'admin', expiresAtMs: 1, grant: second },
    { kind: 'viewer', expiresAtMs: 1, grant: second },
    { kind: 'admin', expiresAtMs: 1, grant: third },
    { kind: 'admin' },
    { kind: 'user', auth: { uid: 'ann' }, expiresAtMs: 1 },
    { kind: 'guest' },
  ];
  const revoked: Principal[] = [];
  const reasons: RevocationReason[] = [];
  let checks = 0;
  revokeLiveGrants(recordStore, accounts.find, [
    {
      revokeCredentials: (isRevoked, reason) => {
        if (reason === 'revoked') checks += 1;
        const found = live.filter(isRevoked);
        revoked.push(...found);
        if (found.length > 0) reasons.push(reason);
      },
    },
  ]);
  const setRoles = (roles: readonly AdminRole[]) =>
    recordStore.change((transaction) => {
      transaction
        .records(INSTALLATION)
        .write(
          ['service-accounts', 'shop', 'admin'],
          encodeServiceAccount({ roles, createdAtMs: 0, isDisabled: false }),
        );
    });
  return { accounts, createKey, first, live, revoked, reasons, setRoles, checks: () => checks };
}

test('[I586] removing a key ends the connections opened with it, including those that impersonate a user, and no others', async () => {
  const { accounts, first, live, revoked, reasons } = await open();
  await accounts.removeKey(EMAIL, first.keyId);
  await expect.poll(() => revoked).toEqual(live.slice(0, 2));
  expect(reasons).toEqual(['ended']);
});

test('[I586] disabling a service account ends the connections opened with any of its keys', async () => {
  const { accounts, live, revoked, reasons } = await open();
  await accounts.setDisabled(EMAIL, true);
  await expect.poll(() => revoked).toEqual(live.slice(0, 4));
  expect(reasons).toEqual(['ended']);
});

test('[I587] losing the role for databases ends the connections of the account, and gaining another role does not', async () => {
  const { live, checks, revoked, reasons, setRoles } = await open();
  await setRoles(['database.admin', 'identity.viewer']);
  await expect.poll(checks).toBe(1);
  expect(revoked).toEqual([]);
  await setRoles(['identity.admin']);
  await expect.poll(() => revoked).toEqual(live.slice(0, 4));
  expect(reasons).toEqual(['ended']);
});

test('[I587][I630] after a change to database.viewer, viewer connections continue and others end', async () => {
  const { live, checks, revoked, reasons, setRoles } = await open();
  await setRoles(['database.viewer']);
  await expect.poll(checks).toBe(1);
  expect(reasons).toEqual(['revoked']);
  expect(revoked).toEqual(live.slice(0, 3));
  expect(revoked).not.toContain(live[3]);
});

test('[I587] adding a key causes no check of the connections', async () => {
  const { createKey, checks } = await open();
  await createKey(EMAIL);
  // A check would run before this promise resolves.
  await setImmediate();
  expect(checks()).toBe(0);
});
