import type { Administrator } from '../drivers/administrator.ts';
import { unsignedToken } from '../drivers/credentials.ts';
import type { JsonObject } from '../drivers/json.ts';
import { ACCOUNTS, DATA, DATABASE, PASSWORD, PROJECT, RULES } from './chat-data.ts';

const AUTH_API = '/identitytoolkit.googleapis.com/v1';

/** A server in development mode that the pictures show. */
export interface FilledServer {
  readonly url: string;
  readonly admin: Administrator;
}

/**
 * Fills an empty server with the data, the rules and the accounts of the chat, and causes changes, audit events and
 * denials.
 */
export async function fillServer(server: FilledServer): Promise<void> {
  const { admin } = server;
  await writeData(server);
  await makeChanges(server);
  await writeData(server);
  const messages = ['Rooms and messages', 'Limit the length of topics'];
  for (const [index, source] of RULES.entries())
    await admin('POST', `/api/databases/${DATABASE}/rules/publish`, { source, message: messages[index] });
  await importAccounts(server, ACCOUNTS);
  await causeAuditEvents(server);
  // Restores the times of the last sign-in, which the sign-ins above have changed.
  await importAccounts(
    server,
    ACCOUNTS.filter(({ localId }) => SIGN_INS.some(([uid]) => uid === localId)),
  );
  await causeDenials(server);
}

/** Writes the whole data of the chat. Replaces what the database contains. */
export async function writeData({ admin }: FilledServer): Promise<void> {
  await admin('PUT', `/.json?ns=${DATABASE}`, DATA);
}

/** Paths and values that changes of an administrator write; `null` deletes a node. */
const CHANGES: readonly JsonObject[] = [
  { '/motd': 'Release day is Wednesday' },
  { '/rooms/kitchen/topic': 'Recipes for Monday', '/rooms/lobby/topic': 'Hello', '/open': false },
  { '/messages/travel': null },
  { '/users/emil': null },
];

/** Makes changes that the console lists and can undo. */
async function makeChanges({ admin }: FilledServer): Promise<void> {
  for (const changes of CHANGES)
    await admin('POST', `/api/databases/${DATABASE}/changes`, { changes, isUndoable: true });
}

async function importAccounts({ admin }: FilledServer, users: readonly JsonObject[]): Promise<void> {
  await admin('POST', `/v1/projects/${PROJECT}/accounts:batchCreate`, { users, allowOverwrite: true });
}

/** User id and password of each attempt to sign in. One password is wrong, and the account `emil` is disabled. */
const SIGN_INS = [
  ['ada', PASSWORD],
  ['diego', 'a wrong password'],
  ['diego', PASSWORD],
  ['emil', PASSWORD],
  ['felix', PASSWORD],
] as const;

/** Changes a setting and accounts as an administrator, and sends sign-ins and requests for email links as users. */
async function causeAuditEvents(server: FilledServer): Promise<void> {
  const { admin } = server;
  const account = (method: string, body: JsonObject) =>
    admin('POST', `/v1/projects/${PROJECT}/accounts:${method}`, body);
  await admin('PATCH', `/v2/projects/${PROJECT}/config?updateMask=notification.sendEmail.hearth.appName`, {
    notification: { sendEmail: { hearth: { appName: 'Chat' } } },
  });
  await account('update', { localId: 'maya', customAttributes: '{"admin":true}' });
  await account('update', { localId: 'emil', disableUser: true });
  for (const [uid, password] of SIGN_INS)
    await requestAsUser(server, 'signInWithPassword', {
      email: `${uid}@example.com`,
      password,
      returnSecureToken: true,
    });
  await requestAsUser(server, 'sendOobCode', { requestType: 'PASSWORD_RESET', email: 'ibrahim@example.com' });
  await requestAsUser(server, 'sendOobCode', { requestType: 'EMAIL_SIGNIN', email: 'anna@example.com' });
}

/** Sends a request as the Auth SDK does. Ignores the answer, which may be an error. */
async function requestAsUser({ url }: FilledServer, method: string, body: JsonObject): Promise<void> {
  await fetch(`${url}${AUTH_API}/accounts:${method}?key=any`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Requests that the rules deny. If `uid` is null, an anonymous client sends the request. */
const DENIED: readonly {
  readonly uid: string | null;
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: string;
  readonly body?: unknown;
}[] = [
  { uid: null, method: 'GET', path: '/rooms/lobby' },
  { uid: 'sofia', method: 'GET', path: '/rooms/releases' },
  { uid: 'ben', method: 'PUT', path: '/rooms/lobby/topic', body: 'Lunch' },
  { uid: 'maya', method: 'PUT', path: '/rooms/lobby/topic', body: 'x'.repeat(90) },
  { uid: 'ada', method: 'PUT', path: '/messages/lobby/m200', body: { text: 'Hello' } },
  { uid: 'ben', method: 'DELETE', path: '/messages/kitchen/m100' },
  { uid: 'omar', method: 'PUT', path: '/presence/yuki', body: { state: 'away' } },
  { uid: 'kenji', method: 'GET', path: '/users', query: 'orderBy="age"&limitToFirst=5' },
  { uid: null, method: 'PUT', path: '/motd', body: 'hacked' },
  { uid: 'lucia', method: 'GET', path: '/messages/design', query: 'orderBy="at"&limitToLast=20' },
  { uid: 'ines', method: 'PATCH', path: '/users/omar', body: { name: 'Ines' } },
  { uid: 'grace', method: 'PUT', path: '/messages/lobby/m201', body: { by: 'ben', text: 'Hi', at: 1 } },
];

/** Sends the requests of `DENIED` one after the other. Rejects if the status of an answer is not 401. */
export async function causeDenials({ url }: FilledServer): Promise<void> {
  const nowSec = Math.floor(Date.now() / 1_000);
  for (const { uid, method, path, query, body } of DENIED) {
    const auth = uid === null ? '' : `&auth=${unsignedToken(uid, nowSec)}`;
    const more = query === undefined ? '' : `&${query}`;
    const { status } = await fetch(`${url}${path}.json?ns=${DATABASE}${auth}${more}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (status !== 401)
      throw new Error(`${method} ${path} by ${uid ?? 'an anonymous client'} answers ${status}.`);
  }
}
