import type { OIDCAuthProviderConfig, SAMLAuthProviderConfig } from 'firebase-admin/auth';
import { expect, test } from 'vitest';
import { freshEmail, useAuthProjects } from './admin-auth.ts';
import { makeCertificate } from './own-certificate.ts';

const openProject = useAuthProjects();

const WORK: OIDCAuthProviderConfig = {
  providerId: 'oidc.work',
  displayName: 'Work',
  enabled: true,
  clientId: 'shop',
  issuer: 'https://id.example',
};

test('[S510] an OpenID provider is created, read, changed and deleted', async () => {
  const { auth } = openProject();
  expect(await auth.createProviderConfig(WORK)).toMatchObject(WORK);
  expect(await auth.getProviderConfig('oidc.work')).toMatchObject({
    ...WORK,
    responseType: { idToken: true },
  });
  const change = {
    enabled: false,
    clientSecret: 'secret',
    responseType: { code: true, idToken: false },
  };
  expect(await auth.updateProviderConfig('oidc.work', change)).toMatchObject({
    ...WORK,
    enabled: false,
    responseType: { code: true },
  });
  await expect(auth.createProviderConfig(WORK)).rejects.toMatchObject({ code: 'auth/configuration-exists' });
  await auth.deleteProviderConfig('oidc.work');
  await expect(auth.getProviderConfig('oidc.work')).rejects.toMatchObject({
    code: 'auth/configuration-not-found',
  });
});

test('[S510] a SAML provider is created, read, changed and deleted', async () => {
  const { auth } = openProject();
  const { cert } = makeCertificate('id.example');
  const saml: SAMLAuthProviderConfig = {
    providerId: 'saml.work',
    displayName: 'Work',
    enabled: true,
    idpEntityId: 'idp',
    ssoURL: 'https://id.example/sso',
    x509Certificates: [cert],
    rpEntityId: 'shop',
    callbackURL: 'https://shop.example/__/auth/handler',
  };
  expect(await auth.createProviderConfig(saml)).toMatchObject(saml);
  const change = { ssoURL: 'https://id.example/other', enableRequestSigning: true };
  expect(await auth.updateProviderConfig('saml.work', change)).toMatchObject({
    ...saml,
    ssoURL: change.ssoURL,
  });
  expect(await auth.getProviderConfig('saml.work')).toMatchObject({ ...saml, ssoURL: change.ssoURL });
  await auth.deleteProviderConfig('saml.work');
  await expect(auth.deleteProviderConfig('saml.work')).rejects.toMatchObject({
    code: 'auth/configuration-not-found',
  });
});

test('[S510] providers are listed page by page', async () => {
  const { auth } = openProject();
  const ids = ['oidc.a', 'oidc.b', 'oidc.c'];
  await Promise.all(ids.map((providerId) => auth.createProviderConfig({ ...WORK, providerId })));
  const listed: string[] = [];
  let pageToken: string | undefined;
  do {
    const options = {
      type: 'oidc',
      maxResults: 2,
      ...(pageToken === undefined ? {} : { pageToken }),
    } as const;
    const page = await auth.listProviderConfigs(options);
    expect(page.providerConfigs.length).toBeLessThanOrEqual(2);
    listed.push(...page.providerConfigs.map(({ providerId }) => providerId));
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  expect(listed).toEqual(ids);
  expect((await auth.listProviderConfigs({ type: 'saml' })).providerConfigs).toEqual([]);
});

test('[S511] a user whom the Admin SDK links to a provider, or imports, signs in with it', async () => {
  const project = openProject();
  const { auth } = project;
  const email = freshEmail();
  const signIn = (sub: string) =>
    project.send('signInWithIdp', {
      requestUri: 'http://localhost',
      postBody: new URLSearchParams({
        providerId: 'google.com',
        id_token: JSON.stringify({ sub }),
      }).toString(),
    });
  const { uid } = await auth.createUser({ email });
  await auth.updateUser(uid, { providerToLink: { providerId: 'google.com', uid: 'linked' } });
  expect((await signIn('linked'))['localId']).toBe(uid);
  const { failureCount } = await auth.importUsers([
    { uid: 'imported', providerData: [{ providerId: 'google.com', uid: 'g-imported' }] },
  ]);
  expect(failureCount).toBe(0);
  const signedIn = await signIn('g-imported');
  expect(signedIn['localId']).toBe('imported');
  const token = await auth.verifyIdToken(String(signedIn['idToken']));
  expect(token.firebase).toMatchObject({
    sign_in_provider: 'google.com',
    identities: { 'google.com': ['g-imported'] },
  });
  expect((await auth.getUserByProviderUid('google.com', 'g-imported')).uid).toBe('imported');
  const unlinked = await auth.updateUser(uid, { providersToUnlink: ['google.com'] });
  expect(unlinked.providerData).toEqual([]);
  expect((await signIn('linked'))['localId']).not.toBe(uid);
});
