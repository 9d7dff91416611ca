import { connectHearth, hearthAuth } from '@hearth/client';
import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app';
import { type Auth, connectAuthEmulator, initializeAuth, inMemoryPersistence } from 'firebase/auth';
import { connectDatabaseEmulator, type Database, forceWebSockets, getDatabase } from 'firebase/database';
import { inject, onTestFinished } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from './json.ts';

/** Opens an app with a configuration like those of the hosted service. Deletes the app when the running test ends. */
export function openHostedApp(options: object = {}, name: string = crypto.randomUUID()): FirebaseApp {
  const hosted = { apiKey: 'any', projectId: 'demo', authDomain: 'demo.firebaseapp.com' };
  const app = initializeApp({ ...hosted, ...options }, name);
  onTestFinished(() => deleteApp(app).catch(() => {}));
  return app;
}

/** Functions that point the Auth of an app at the server. */
export const AUTH_METHODS = ['connectAuthEmulator', 'hearthAuth'] as const;

export interface AuthClientOptions {
  /** Used instead of the server's own address. */
  readonly url?: string;
  /** `hearthAuth` unless given. */
  readonly by?: (typeof AUTH_METHODS)[number];
}

/** Opens the Auth of a new app. The Auth keeps its user in memory until the running test ends. */
export function openAuth(options: AuthClientOptions = {}): Auth {
  const app = openHostedApp();
  const url = options.url ?? inject('serverUrl');
  if (options.by !== 'connectAuthEmulator') return hearthAuth(app, url, { persistence: inMemoryPersistence });
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, url, { disableWarnings: true });
  return auth;
}

/** Returns an email address that no other test uses. */
export function freshEmail(): string {
  return `${crypto.randomUUID()}@example.com`;
}

/** A password for accounts whose password does not matter. */
export const PASSWORD = 'a long password';

/** Returns a custom token as development mode accepts it. */
export function customToken(uid: string, claims: object = {}): string {
  return JSON.stringify({ uid, claims });
}

/** Functions that point the Auth and the database of an app at the server. */
export const APP_METHODS = ['the emulator functions', 'connectHearth'] as const;

/** The Auth and the database of one app. */
export interface AuthDatabase {
  readonly auth: Auth;
  readonly db: Database;
}

/**
 * Opens the Auth and the database of a new app. The database's connection is signed in as the user of the Auth. With
 * the emulator functions, the database connects to `dataUrl`.
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

/** In development mode, every API key belongs to this project. */
const PROJECT = 'demo';

/** Changes an account as an administrator: fields such as `disableUser`, `customAttributes` and `validSince`. */
export async function changeAccount(uid: string, change: JsonObject): Promise<void> {
  await requestAsAdmin(inject('serverUrl'), 'POST', `/v1/projects/${PROJECT}/accounts:update`, {
    localId: uid,
    ...change,
  });
}

/** Deletes an account as an administrator. */
export async function deleteAccount(uid: string): Promise<void> {
  await requestAsAdmin(inject('serverUrl'), 'POST', `/v1/projects/${PROJECT}/accounts:delete`, {
    localId: uid,
  });
}

/**
 * Changes the settings that `mask` names, in the project of a server. The server must belong to the running test,
 * because the settings apply to all users of the project.
 */
export async function changeAuthConfig(url: string, config: JsonObject, mask: string): Promise<void> {
  await requestAsAdmin(url, 'PATCH', `/v2/projects/${PROJECT}/config?updateMask=${mask}`, config);
}

/** Returns a code to reset a password in another project. */
export async function requestForeignCode(): Promise<string> {
  const project = `other-${crypto.randomUUID()}`;
  const accounts = `/v1/projects/${project}/accounts`;
  const email = 'somebody@example.com';
  const url = inject('serverUrl');
  await requestAsAdmin(url, 'POST', accounts, { email, password: 'a long password' });
  const codeRequest = { requestType: 'PASSWORD_RESET', email, returnOobLink: true };
  return String((await requestAsAdmin(url, 'POST', `${accounts}:sendOobCode`, codeRequest))['oobCode']);
}

/** A code in a mail. */
export interface MailedCode {
  readonly code: string;
  readonly link: string;
  readonly purpose: string;
}

/** Returns the unused codes in the mails to an address, oldest first. */
export async function readMailedCodes(
  email: string,
  url = inject('serverUrl'),
): Promise<readonly MailedCode[]> {
  const answer = await requestAsAdmin(url, 'GET', `/emulator/v1/projects/${PROJECT}/oobCodes`);
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

/** Returns the latest code for an address and a purpose. Throws if no mail has one. */
export async function readMailedCode(
  email: string,
  purpose: string,
  url = inject('serverUrl'),
): Promise<MailedCode> {
  const found = (await readMailedCodes(email, url)).findLast((mailed) => mailed.purpose === purpose);
  if (found === undefined) throw new Error(`No mail to ${email} has a code for ${purpose}.`);
  return found;
}

/** Sends a request to a development server as its administrator. Returns the JSON of the response. */
export async function requestAsAdmin(
  url: string,
  method: string,
  path: string,
  body?: JsonObject,
): Promise<JsonObject> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was rejected: ${answer.status} ${text}`);
  const value = parseJson(text);
  if (!isJsonObject(value)) throw new Error(`The response of ${path} is not an object.`);
  return value;
}
