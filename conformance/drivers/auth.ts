import { connectHearth, hearthAuth } from '@hearth/client';
import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app';
import { type Auth, connectAuthEmulator, initializeAuth, inMemoryPersistence } from 'firebase/auth';
import { connectDatabaseEmulator, type Database, forceWebSockets, getDatabase } from 'firebase/database';
import { inject, onTestFinished } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from './json.ts';

/** An app as it was made for the hosted service, deleted with the running test if not before. */
export function openHostedApp(options: object = {}, name: string = crypto.randomUUID()): FirebaseApp {
  const hosted = { apiKey: 'any', projectId: 'demo', authDomain: 'demo.firebaseapp.com' };
  const app = initializeApp({ ...hosted, ...options }, name);
  onTestFinished(() => deleteApp(app).catch(() => {}));
  return app;
}

/** How an app may be told where its users are. */
export const AUTH_METHODS = ['connectAuthEmulator', 'hearthAuth'] as const;

export interface AuthClientOptions {
  /** Address instead of the server's own. */
  readonly url?: string;
  /** `hearthAuth` unless given. */
  readonly by?: (typeof AUTH_METHODS)[number];
}

/** An Auth of an app of its own, which remembers its user no longer than the running test. */
export function openAuth(options: AuthClientOptions = {}): Auth {
  const app = openHostedApp();
  const url = options.url ?? inject('serverUrl');
  if (options.by !== 'connectAuthEmulator') return hearthAuth(app, url, { persistence: inMemoryPersistence });
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, url, { disableWarnings: true });
  return auth;
}

/** An address that no other test has. */
export function freshEmail(): string {
  return `${crypto.randomUUID()}@example.com`;
}

/** A password for accounts of which the password does not matter. */
export const PASSWORD = 'a long password';

/** A custom token as development mode takes it. */
export function customToken(uid: string, claims: object = {}): string {
  return JSON.stringify({ uid, claims });
}

/** How an app may be told where its users and its data are. */
export const APP_METHODS = ['the emulator functions', 'connectHearth'] as const;

/** The users and the data of one app. */
export interface AuthDatabase {
  readonly auth: Auth;
  readonly db: Database;
}

/**
 * An app of its own with users and a database; its connection knows who is signed in. `dataUrl` is where its data are instead of
 * the server itself; by the emulator functions only.
 */
export function openAuthDatabase(
  namespace: string,
  by: (typeof APP_METHODS)[number],
  dataUrl = inject('serverUrl'),
): AuthDatabase {
  const app = openHostedApp({ databaseURL: `https://${namespace}.firebaseio.com` });
  const url = inject('serverUrl');
  forceWebSockets();
  if (by === 'connectHearth') {
    const { auth, database } = connectHearth(app, url, { persistence: inMemoryPersistence });
    return { auth, db: database };
  }
  const { hostname, port } = new URL(dataUrl);
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, url, { disableWarnings: true });
  const db = getDatabase(app);
  connectDatabaseEmulator(db, hostname, Number(port));
  return { auth, db };
}

/** The project that every API key stands for. */
const PROJECT = 'demo';

/** Changes an account as an administrator: `disableUser`, `customAttributes`, `validSince` and the like. */
export async function changeAccount(uid: string, change: JsonObject): Promise<void> {
  await askAsAdmin(inject('serverUrl'), 'POST', `/v1/projects/${PROJECT}/accounts:update`, {
    localId: uid,
    ...change,
  });
}

/** Deletes an account as an administrator. */
export async function deleteAccount(uid: string): Promise<void> {
  await askAsAdmin(inject('serverUrl'), 'POST', `/v1/projects/${PROJECT}/accounts:delete`, { localId: uid });
}

/** Changes the named settings of the project at a server, which has to be the test's own: other tests use them too. */
export async function changeAuthConfig(url: string, config: JsonObject, mask: string): Promise<void> {
  await askAsAdmin(url, 'PATCH', `/v2/projects/${PROJECT}/config?updateMask=${mask}`, config);
}

/** A code to reset a password in another project. */
export async function requestForeignCode(): Promise<string> {
  const project = `other-${crypto.randomUUID()}`;
  const accounts = `/v1/projects/${project}/accounts`;
  const email = 'somebody@example.com';
  const url = inject('serverUrl');
  await askAsAdmin(url, 'POST', accounts, { email, password: 'a long password' });
  const codeRequest = { requestType: 'PASSWORD_RESET', email, returnOobLink: true };
  return String((await askAsAdmin(url, 'POST', `${accounts}:sendOobCode`, codeRequest))['oobCode']);
}

/** A code that was mailed. */
export interface MailedCode {
  readonly code: string;
  readonly link: string;
  readonly purpose: string;
}

/** The codes for an address that were mailed and not used yet, the latest last. */
export async function readMailedCodes(
  email: string,
  url = inject('serverUrl'),
): Promise<readonly MailedCode[]> {
  const answer = await askAsAdmin(url, 'GET', `/emulator/v1/projects/${PROJECT}/oobCodes`);
  const codes = answer['oobCodes'];
  if (!Array.isArray(codes)) throw new Error('The server listed no codes.');
  return codes.filter(isJsonObject).flatMap((listed) =>
    listed['email'] === email
      ? [
          {
            code: String(listed['oobCode']),
            link: String(listed['oobLink']),
            purpose: String(listed['requestType']),
          },
        ]
      : [],
  );
}

/** The latest code for an address and a purpose. Throws if there is none. */
export async function readMailedCode(email: string, purpose: string): Promise<MailedCode> {
  const found = (await readMailedCodes(email)).findLast((mailed) => mailed.purpose === purpose);
  if (found === undefined) throw new Error(`No mail to ${email} has a code for ${purpose}.`);
  return found;
}

async function askAsAdmin(url: string, method: string, path: string, body?: JsonObject): Promise<JsonObject> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was refused: ${answer.status} ${text}`);
  const value = parseJson(text);
  if (!isJsonObject(value)) throw new Error(`${path} was not answered with an object.`);
  return value;
}
