import type { TenantAwareAuth } from 'firebase-admin/auth';
import { expect, test } from 'vitest';
import { type AuthProject, freshEmail, PASSWORD, useAuthProjects } from './admin-auth.ts';

const openProject = useAuthProjects();

/** Creates a tenant with sign-in by password, and returns its Auth. */
async function createTenant({ auth }: AuthProject, displayName: string): Promise<TenantAwareAuth> {
  const { tenantId } = await auth.tenantManager().createTenant({
    displayName,
    emailSignInConfig: { enabled: true, passwordRequired: false },
  });
  return auth.tenantManager().authForTenant(tenantId);
}

async function signIn({ send }: AuthProject, { tenantId }: TenantAwareAuth, email: string): Promise<string> {
  return String((await send('signInWithPassword', { email, password: PASSWORD, tenantId }))['idToken']);
}

test('[S880] tenantManager creates, reads, changes, lists and deletes tenants', async () => {
  const manager = openProject().auth.tenantManager();
  const made = await manager.createTenant({
    displayName: 'Acme',
    emailSignInConfig: { enabled: true, passwordRequired: false },
    anonymousSignInEnabled: true,
    multiFactorConfig: {
      state: 'ENABLED',
      factorIds: ['phone'],
      providerConfigs: [{ state: 'ENABLED', totpProviderConfig: { adjacentIntervals: 3 } }],
    },
    testPhoneNumbers: { '+15555550100': '123456' },
  });
  expect(made).toMatchObject({
    displayName: 'Acme',
    emailSignInConfig: { enabled: true, passwordRequired: false },
    anonymousSignInEnabled: true,
    multiFactorConfig: { state: 'ENABLED', factorIds: ['phone'] },
    testPhoneNumbers: { '+15555550100': '123456' },
  });
  expect((await manager.getTenant(made.tenantId)).toJSON()).toEqual(made.toJSON());
  const changed = await manager.updateTenant(made.tenantId, {
    displayName: 'Acme 2',
    multiFactorConfig: { state: 'DISABLED' },
    testPhoneNumbers: null,
    passwordPolicyConfig: { enforcementState: 'ENFORCE', constraints: { minLength: 12 } },
    emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
  });
  expect(changed).toMatchObject({
    displayName: 'Acme 2',
    anonymousSignInEnabled: true,
    multiFactorConfig: { state: 'DISABLED', factorIds: ['phone'] },
  });
  expect(changed.toJSON()).toMatchObject({ passwordPolicyConfig: { enforcementState: 'ENFORCE' } });
  const other = await manager.createTenant({ displayName: 'Other' });
  const first = await manager.listTenants(1);
  const second = await manager.listTenants(1, first.pageToken);
  const listed = [...first.tenants, ...second.tenants].map(({ tenantId }) => tenantId);
  expect(listed.toSorted()).toEqual([made.tenantId, other.tenantId].toSorted());
  await manager.deleteTenant(made.tenantId);
  await expect(manager.getTenant(made.tenantId)).rejects.toMatchObject({ code: 'auth/tenant-not-found' });
});

test('[S881] authForTenant manages only the users of a tenant', async () => {
  const project = openProject();
  const [acme, other] = [await createTenant(project, 'Acme'), await createTenant(project, 'Other')];
  const email = freshEmail();
  for (const auth of [acme, other, project.auth])
    await auth.createUser({ uid: 'ann', email, password: PASSWORD });
  await acme.updateUser('ann', { displayName: 'Ann of Acme' });
  expect(await acme.getUserByEmail(email)).toMatchObject({
    tenantId: acme.tenantId,
    displayName: 'Ann of Acme',
  });
  expect((await other.getUser('ann')).displayName).toBeUndefined();
  await acme.importUsers([{ uid: 'bob', email: freshEmail() }]);
  expect((await acme.listUsers()).users.map(({ uid }) => uid)).toEqual(['ann', 'bob']);
  expect((await project.auth.listUsers()).users.map(({ uid }) => uid)).toEqual(['ann']);
  const link = await acme.generatePasswordResetLink(email);
  expect(new URL(link).searchParams.get('tenantId')).toBe(acme.tenantId);
  await acme.deleteUser('ann');
  expect((await other.getUser('ann')).email).toBe(email);
});

test('[S882] tokens and session cookies of a tenant are valid only for its Auth', async () => {
  const project = openProject();
  const [acme, other] = [await createTenant(project, 'Acme'), await createTenant(project, 'Other')];
  const email = freshEmail();
  const { uid } = await acme.createUser({ email, password: PASSWORD });
  const idToken = await signIn(project, acme, email);
  expect(await acme.verifyIdToken(idToken, true)).toMatchObject({ uid, firebase: { tenant: acme.tenantId } });
  // In development mode, the SDK looks for the user before it compares the tenants.
  const mismatch = { code: 'auth/user-not-found' };
  await expect(other.verifyIdToken(idToken)).rejects.toMatchObject(mismatch);
  const cookie = await acme.createSessionCookie(idToken, { expiresIn: 3_600_000 });
  expect(await acme.verifySessionCookie(cookie, true)).toMatchObject({ uid });
  await expect(other.verifySessionCookie(cookie)).rejects.toMatchObject(mismatch);
  await expect(project.send('lookup', { idToken, tenantId: other.tenantId })).rejects.toThrow(
    'TENANT_ID_MISMATCH',
  );
  await acme.revokeRefreshTokens(uid);
  const token = await acme.createCustomToken('cid');
  const { tenantId } = acme;
  const signedIn = await project.send('signInWithCustomToken', { token, tenantId });
  expect(await acme.verifyIdToken(String(signedIn['idToken']))).toMatchObject({ uid: 'cid' });
  await expect(project.send('signInWithCustomToken', { token })).rejects.toThrow('TENANT_ID_MISMATCH');
});

test('[S883] a tenant has its own configuration of providers, separate from that of its project', async () => {
  const project = openProject();
  const acme = await createTenant(project, 'Acme');
  const work = {
    providerId: 'oidc.work',
    displayName: 'Work',
    enabled: true,
    clientId: 'a',
    issuer: 'https://id.example',
  };
  await acme.createProviderConfig(work);
  expect(await acme.getProviderConfig('oidc.work')).toMatchObject(work);
  await expect(project.auth.getProviderConfig('oidc.work')).rejects.toMatchObject({
    code: 'auth/configuration-not-found',
  });
});
