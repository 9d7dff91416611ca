import type { AdminRole } from '@hearth/core/api/service-account.ts';
import { beforeAll, expect, test } from 'vitest';
import { ANONYMOUS } from '../../access/principal.ts';
import { credentialVerifierContract } from '../../access/verifier.contract.ts';
import { randomBytes } from '../../platform/random.ts';
import { secretKey } from '../../platform/secret-key.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { DatabaseOwners } from '../projects/database-owners.ts';
import { NEW_SETTINGS } from '../projects/project.ts';
import { Projects } from '../projects/projects.ts';
import { type TestServiceAccount, testServiceAccount } from '../projects/service-account.fixture.ts';
import { AccessTokens } from '../tokens/access-tokens.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import { Administrators, LocalAdmin } from './administrators.ts';
import { DatabaseAdminVerifier } from './credential-verifiers.ts';
import { MemberVerifier } from './member-verifier.ts';
import { type Resource, requireRight } from './rights.ts';

let service: TestServiceAccount;
beforeAll(async () => {
  service = await testServiceAccount('shop');
});

/** Creates a verifier for the projects `shop` and `club`, and a token of an administrator of `shop`. */
async function openTestBed(roles: readonly AdminRole[] = ['database.admin']) {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  const projects = new Projects({ recordStore, randomBytes, onDemand: null });
  for (const id of ['shop', 'club']) await projects.create(id, NEW_SETTINGS);
  const account = { ...service.account, roles };
  const key = secretKey(new Uint8Array(32));
  const accessTokens = new AccessTokens(key, () => account, clock.nowMs);
  const localAdmin = new LocalAdmin(randomBytes);
  const members = new MemberVerifier({ recordStore, projects, idTokens: unsignedTokenServices.idTokens });
  const administrators = new Administrators(accessTokens, localAdmin, members);
  const owners = new DatabaseOwners(recordStore);
  const verifier = new DatabaseAdminVerifier(administrators, owners);
  return {
    clock,
    localToken: localAdmin.token,
    token: accessTokens.issue({ account, keyId: 'key1' }),
    isAdmitted: (token: string, resource: Resource) =>
      administrators
        .verify(token)
        .then((admin) => requireRight(admin, resource, 'read', owners))
        .then(
          () => true,
          (error) => error.code !== 'auth/admin-only',
        ),
    verifier,
  };
}

const SHOP = { kind: 'database', name: 'shop' } as const;

/** Returns tokens that belong to no administrator. */
function foreignTokens(): readonly string[] {
  const forged = new LocalAdmin(randomBytes).token;
  return [forged, '', 'owner', 'hearth-local-1.', 'hearth-access-1.e30.x'];
}

credentialVerifierContract('administrators of a database', async () => {
  const { verifier, token } = await openTestBed();
  return { verifier, resource: SHOP, token, isAdmin: true, rejected: foreignTokens() };
});

credentialVerifierContract('viewers of a database', async () => {
  const { verifier, token } = await openTestBed(['database.viewer']);
  return { verifier, resource: SHOP, token, isAdmin: true, rejected: foreignTokens() };
});

test.each<[Resource, boolean, boolean]>([
  [{ kind: 'database', name: 'shop' }, true, true],
  [{ kind: 'database', name: 'shop-default-rtdb' }, true, true],
  [{ kind: 'database', name: 'club' }, false, true],
  [{ kind: 'database', name: 'none' }, false, false],
  [{ kind: 'project', id: 'shop' }, true, true],
  [{ kind: 'project', id: 'club' }, false, true],
  [{ kind: 'accounts', project: 'shop' }, false, true],
  [{ kind: 'server' }, false, true],
])(
  '[I444][I442] in %j the service account is admitted: %s, and the local administrator: %s',
  async (resource, service, local) => {
    const { isAdmitted, token, localToken } = await openTestBed();
    expect(await isAdmitted(token, resource)).toBe(service);
    expect(await isAdmitted(localToken, resource)).toBe(local);
  },
);

test('[I444] a token without the role, or of another kind, is rejected', async () => {
  const { isAdmitted, token } = await openTestBed(['identity.admin']);
  for (const text of [token, ...foreignTokens()]) expect(await isAdmitted(text, SHOP)).toBe(false);
});

test('[I630] a service account with the role database.viewer reads everything and writes nothing', async () => {
  const { isAdmitted, token, verifier } = await openTestBed(['database.viewer']);
  expect(await verifier.verify({ token }, SHOP)).toMatchObject({ kind: 'viewer' });
  expect(await isAdmitted(token, { kind: 'database', name: 'club' })).toBe(false);
  for (const override of [null, { uid: 'ann' }])
    expect(await verifier.verify({ token, override }, SHOP)).toMatchObject({ isReadOnly: true });
});

test('[I444] an administrator is admitted until the token expires, also while impersonating', async () => {
  const { clock, localToken, token, verifier } = await openTestBed();
  const expiresAtMs = clock.ms + 3_600_000;
  const grant = { kind: 'service-account', serviceAccount: service.account.email, keyId: 'key1' };
  expect(await verifier.verify({ token }, SHOP)).toEqual({ kind: 'admin', expiresAtMs, grant });
  expect(await verifier.verify({ token, override: { uid: 'ann' } }, SHOP)).toEqual({
    kind: 'user',
    auth: { uid: 'ann' },
    expiresAtMs,
    grant,
  });
  expect(await verifier.verify({ token, override: null }, SHOP)).toEqual(ANONYMOUS);
  expect(await verifier.verify({ token: localToken }, SHOP)).toEqual({ kind: 'admin' });
});
