import {
  type Auth,
  createUserWithEmailAndPassword,
  signInAnonymously,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  signOut,
  updateProfile,
} from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import { AUTH_METHODS, freshEmail, openAuth, PASSWORD } from '../drivers/auth.ts';

function openTenant(by: (typeof AUTH_METHODS)[number], tenantId: string | null): Auth {
  const auth = openAuth({ by });
  auth.tenantId = tenantId;
  return auth;
}

describe.each(AUTH_METHODS)('Tenants, with %s', (by) => {
  test('[S884] a user of a tenant signs up and in, and refreshes tokens that name the tenant', async () => {
    const auth = openTenant(by, 'acme');
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    expect(user.tenantId).toBe('acme');
    await updateProfile(user, { displayName: 'Ann' });
    expect((await user.getIdTokenResult(true)).claims['firebase']).toMatchObject({ tenant: 'acme' });
    await signOut(auth);
    const again = await signInWithEmailAndPassword(auth, email, PASSWORD);
    expect(again.user).toMatchObject({ uid: user.uid, displayName: 'Ann', tenantId: 'acme' });
    expect((await signInAnonymously(openTenant(by, 'acme'))).user).toMatchObject({ tenantId: 'acme' });
  });

  test('[S885] a user of a tenant is unknown in another, and without a tenant', async () => {
    const email = freshEmail();
    await createUserWithEmailAndPassword(openTenant(by, 'acme'), email, PASSWORD);
    for (const tenantId of ['other', null])
      await expect(
        signInWithEmailAndPassword(openTenant(by, tenantId), email, PASSWORD),
      ).rejects.toMatchObject({
        code: 'auth/user-not-found',
      });
    const { user } = await createUserWithEmailAndPassword(openTenant(by, null), email, PASSWORD);
    expect(user.tenantId).toBeNull();
  });

  test('[S886] a custom token that names a tenant signs in only to this tenant', async () => {
    const uid = crypto.randomUUID();
    const token = tenantToken(uid, 'acme');
    expect((await signInWithCustomToken(openTenant(by, 'acme'), token)).user).toMatchObject({
      uid,
      tenantId: 'acme',
    });
    for (const tenantId of ['other', null])
      await expect(signInWithCustomToken(openTenant(by, tenantId), token)).rejects.toMatchObject({
        code: 'auth/tenant-id-mismatch',
      });
  });
});

/** Returns an unsigned custom token, which a development server accepts. */
function tenantToken(uid: string, tenantId: string): string {
  const aud = 'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit';
  const [header, claims] = [
    { alg: 'none', typ: 'JWT' },
    { uid, aud, tenant_id: tenantId },
  ].map((part) => btoa(JSON.stringify(part)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''));
  return `${header}.${claims}.`;
}
