import { generateKeyPairSync } from 'node:crypto';
import { cert, initializeApp } from 'firebase-admin/app';
import { type Auth, getAuth } from 'firebase-admin/auth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../drivers/json.ts';
import { freshEmail, freshPhone, PASSWORD } from './admin-auth.ts';
import { type KeyFile, openServing, type Serving } from './serving.ts';

/** A project, with the Admin SDK of a service account that has all rights in it. */
interface Project {
  readonly id: string;
  readonly auth: Auth;
  readonly key: KeyFile;
  send(method: string, body: JsonObject): Promise<JsonObject>;
  /** Exchanges a refresh token for new tokens. Rejects with the server's error code as the message. */
  refresh(refreshToken: string): Promise<JsonObject>;
  /** Creates a user, and signs the user in with a password. */
  signInNew(): Promise<Session>;
}

interface Session {
  readonly uid: string;
  readonly idToken: string;
  readonly refreshToken: string;
}

const ALL_ROLES = [
  'identity.admin',
  'identity.viewer',
  'identity.configAdmin',
  'identity.hashReader',
  'database.admin',
];
const HOUR_MS = 3_600_000;

let serving: Serving;
let shop: Project;
let other: Project;

async function openProject(id: string): Promise<Project> {
  const apiKey = await serving.createProject(id);
  const key = await serving.createKey(id, 'server', ALL_ROLES);
  const auth = serving.openAuth(key);
  const send: Project['send'] = (method, body) => serving.send(apiKey, `accounts:${method}`, body);
  return {
    id,
    auth,
    key,
    send,
    refresh: (refreshToken) => serving.send(apiKey, 'token', { grantType: 'refresh_token', refreshToken }),
    async signInNew() {
      const email = freshEmail();
      const { uid } = await auth.createUser({ email, password: PASSWORD });
      const { idToken, refreshToken } = await send('signInWithPassword', {
        email,
        password: PASSWORD,
        returnSecureToken: true,
      });
      return { uid, idToken: String(idToken), refreshToken: String(refreshToken) };
    },
  };
}

beforeAll(async () => {
  serving = await openServing();
  [shop, other] = await Promise.all([openProject('shop'), openProject('other')]);
});
afterAll(() => serving?.close());

/** Returns the token with a changed payload and the old signature. */
function forge(token: string, change: JsonObject): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...change };
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
}

function withoutSignature(token: string): string {
  const header = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  return `${header}.${token.split('.')[1]}.`;
}

test('[S412] with a key file and over TLS the Admin SDK creates, finds, lists, changes, imports and deletes users', async () => {
  const { auth } = shop;
  const [email, phoneNumber] = [freshEmail(), freshPhone()];
  const { uid } = await auth.createUser({ email, phoneNumber, password: PASSWORD, displayName: 'Ada' });
  expect(await auth.getUserByEmail(email)).toMatchObject({ uid, phoneNumber, displayName: 'Ada' });
  await expect(auth.createUser({ email })).rejects.toMatchObject({ code: 'auth/email-already-exists' });
  await auth.updateUser(uid, { disabled: true, displayName: null });
  expect((await auth.getUserByPhoneNumber(phoneNumber)).disabled).toBe(true);
  await auth.importUsers([{ uid: 'imported', email: freshEmail() }]);
  const { users } = await auth.listUsers();
  expect(users.find((user) => user.uid === uid)?.passwordHash).toMatch(/^[\w-]{43}=$/);
  expect(users.some((user) => user.uid === 'imported')).toBe(true);
  expect((await auth.deleteUsers([uid, 'imported'])).successCount).toBe(2);
  await expect(auth.getUser(uid)).rejects.toMatchObject({ code: 'auth/user-not-found' });
  await expect(auth.deleteUser(uid)).rejects.toMatchObject({ code: 'auth/user-not-found' });
});

test('[S412] links lead to the address of the server, and the Admin SDK changes the configuration', async () => {
  const { auth } = shop;
  const email = freshEmail();
  const { uid } = await auth.createUser({ email, password: PASSWORD });
  const link = new URL(await auth.generateEmailVerificationLink(email));
  expect(link.origin).toBe(serving.url);
  await shop.send('update', { oobCode: link.searchParams.get('oobCode') });
  expect((await auth.getUser(uid)).emailVerified).toBe(true);
  await expect(
    auth.generateEmailVerificationLink(email, { url: 'https://elsewhere.example.com' }),
  ).rejects.toMatchObject({ code: 'auth/unauthorized-continue-uri' });
  const manager = other.auth.projectConfigManager();
  const changed = await manager.updateProjectConfig({
    emailPrivacyConfig: { enableImprovedEmailPrivacy: false },
  });
  expect(changed.emailPrivacyConfig).toEqual({});
});

test('[S413] ID tokens are verified with the keys that the server publishes', async () => {
  const { auth } = shop;
  const { uid, idToken } = await shop.signInNew();
  expect(await auth.verifyIdToken(idToken, true)).toMatchObject({
    uid,
    aud: 'shop',
    iss: 'https://securetoken.google.com/shop',
  });
});

test('[S413] forged, unsigned and foreign ID tokens are rejected', async () => {
  const { auth } = shop;
  const { idToken } = await shop.signInNew();
  const foreign = (await other.signInNew()).idToken;
  const denied = { code: 'auth/argument-error' };
  for (const token of [forge(idToken, { sub: 'admin' }), withoutSignature(idToken), foreign])
    await expect(auth.verifyIdToken(token)).rejects.toMatchObject(denied);
  for (const token of [forge(idToken, { sub: 'admin' }), withoutSignature(idToken), foreign])
    await expect(shop.send('lookup', { idToken: token })).rejects.toThrow('INVALID_ID_TOKEN');
});

test('[S414] revoked ID tokens and session cookies are rejected if the app checks revocations, and revoked refresh tokens always', async () => {
  const { auth } = shop;
  const { uid, idToken, refreshToken } = await shop.signInNew();
  expect(await auth.verifyIdToken(idToken, true)).toMatchObject({ uid });
  const cookie = await auth.createSessionCookie(idToken, { expiresIn: HOUR_MS });
  await auth.revokeRefreshTokens(uid);
  await expect(auth.verifySessionCookie(cookie, true)).rejects.toMatchObject({
    code: 'auth/session-cookie-revoked',
  });
  expect((await auth.verifyIdToken(idToken)).uid).toBe(uid);
  await expect(auth.verifyIdToken(idToken, true)).rejects.toMatchObject({ code: 'auth/id-token-revoked' });
  await expect(shop.send('lookup', { idToken })).rejects.toThrow('TOKEN_EXPIRED');
  await expect(shop.refresh(refreshToken)).rejects.toThrow('TOKEN_EXPIRED');
});

test('[S415] session cookies are verified with the published keys, and are not accepted as ID tokens', async () => {
  const { auth } = shop;
  const { uid, idToken } = await shop.signInNew();
  const cookie = await auth.createSessionCookie(idToken, { expiresIn: HOUR_MS });
  expect(await auth.verifySessionCookie(cookie, true)).toMatchObject({
    uid,
    iss: 'https://session.firebase.google.com/shop',
  });
  const denied = { code: 'auth/argument-error' };
  await expect(auth.verifyIdToken(cookie)).rejects.toMatchObject(denied);
  await expect(auth.verifySessionCookie(forge(cookie, { sub: 'admin' }))).rejects.toMatchObject(denied);
  await expect(other.auth.verifySessionCookie(cookie)).rejects.toMatchObject(denied);
  await expect(shop.send('lookup', { idToken: cookie })).rejects.toThrow('INVALID_ID_TOKEN');
  await auth.updateUser(uid, { disabled: true });
  await expect(auth.verifySessionCookie(cookie, true)).rejects.toMatchObject({ code: 'auth/user-disabled' });
});

test('[S416] a custom token signs a user in only if a key of the project signed the token', async () => {
  const token = await shop.auth.createCustomToken('ada', { plan: 'gold' });
  const { idToken } = await shop.send('signInWithCustomToken', { token, returnSecureToken: true });
  expect(await shop.auth.verifyIdToken(String(idToken))).toMatchObject({ uid: 'ada', plan: 'gold' });
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const attacker = initializeApp({ credential: cert({ ...shop.key, privateKey }) }, crypto.randomUUID());
  const forged = await getAuth(attacker).createCustomToken('ada');
  await expect(shop.send('signInWithCustomToken', { token: forged })).rejects.toThrow('INVALID_CUSTOM_TOKEN');
  const foreign = await other.auth.createCustomToken('ada');
  await expect(shop.send('signInWithCustomToken', { token: foreign })).rejects.toThrow('CREDENTIAL_MISMATCH');
  await expect(shop.send('signInWithCustomToken', { token: '{"uid":"ada"}' })).rejects.toThrow(
    'INVALID_CUSTOM_TOKEN',
  );
});

test('[S419] without a private key, the Admin SDK creates custom tokens that the server signs, if the service account may sign', async () => {
  const signer = await serving.createKey('shop', 'signer', ['identity.tokenCreator']);
  const token = await serving.openRemoteSigner(signer).createCustomToken('ada', { plan: 'gold' });
  const { idToken } = await shop.send('signInWithCustomToken', { token });
  expect(await shop.auth.verifyIdToken(String(idToken))).toMatchObject({ uid: 'ada', plan: 'gold' });
  const viewer = await serving.createKey('shop', 'watcher', ['identity.viewer']);
  await expect(serving.openRemoteSigner(viewer).createCustomToken('ada')).rejects.toThrow();
  await serving.revokeKey('shop', 'signer', signer);
  await expect(shop.send('signInWithCustomToken', { token })).rejects.toThrow('INVALID_CUSTOM_TOKEN');
});

test('[S417] a key file has the rights of its roles, in its project, until its key is revoked', async () => {
  const viewerKey = await serving.createKey('shop', 'viewer', ['identity.viewer']);
  const viewer = serving.openAuth(viewerKey);
  const { uid } = await shop.auth.createUser({ password: PASSWORD });
  expect((await viewer.getUser(uid)).passwordHash).toBeUndefined();
  const denied = { code: 'auth/insufficient-permission' };
  await expect(viewer.createUser({})).rejects.toMatchObject(denied);
  await expect(viewer.updateUser(uid, { disabled: true })).rejects.toMatchObject(denied);
  const manager = viewer.projectConfigManager();
  const update = manager.updateProjectConfig({ emailPrivacyConfig: { enableImprovedEmailPrivacy: false } });
  await expect(update).rejects.toMatchObject(denied);
  const elsewhere = serving.openAuth({ ...viewerKey, projectId: 'other' });
  await expect(elsewhere.getUser(uid)).rejects.toMatchObject(denied);
  await serving.revokeKey('shop', 'viewer', viewerKey);
  await expect(viewer.getUser(uid)).rejects.toThrow();
  await expect(serving.openAuth(viewerKey).getUser(uid)).rejects.toThrow('invalid_grant');
});

const USE_DATABASE = `
import { getDatabase } from 'firebase-admin/database';
const room = getDatabase(app).ref('rooms/lobby');
await room.set({ seats: 2 });
console.log(JSON.stringify((await room.get()).val()));
await deleteApp(app);
process.exit();
`;

test('[S470] the default key of a backend reads and changes the project configuration', async () => {
  const backend = serving.openAuth(await serving.createKey('other', 'backend', []));
  const manager = backend.projectConfigManager();
  const before = await manager.getProjectConfig();
  expect(before.passwordPolicyConfig).toMatchObject({
    enforcementState: 'OFF',
    constraints: { minLength: 8 },
  });
  const changed = await manager.updateProjectConfig({
    passwordPolicyConfig: { enforcementState: 'ENFORCE', constraints: { minLength: 12 } },
    multiFactorConfig: {
      state: 'ENABLED',
      providerConfigs: [{ state: 'ENABLED', totpProviderConfig: { adjacentIntervals: 3 } }],
    },
  });
  expect(changed.passwordPolicyConfig).toMatchObject({
    enforcementState: 'ENFORCE',
    constraints: { minLength: 12 },
  });
  const token = await backend.createCustomToken('ada');
  expect(token.split('.')).toHaveLength(3);
});

test('[S418] with a key file, the Admin SDK writes and reads the database of its project although the rules deny everything', async () => {
  expect(await serving.runAdmin(shop.key, USE_DATABASE)).toBe('{"seats":2}\n');
});
