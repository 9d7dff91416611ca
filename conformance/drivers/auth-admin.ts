import { inject } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from './json.ts';

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
  const wish = { requestType: 'PASSWORD_RESET', email, returnOobLink: true };
  return String((await askAsAdmin(url, 'POST', `${accounts}:sendOobCode`, wish))['oobCode']);
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
export async function mustReadMailedCode(email: string, purpose: string): Promise<MailedCode> {
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
