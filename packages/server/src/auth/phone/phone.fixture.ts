import type { AuthAnswer, AuthClient } from '../api/auth-client.fixture.ts';

export const NUMBER = '+16505550101';
export const OTHER_NUMBER = '+16505550102';

/** A code as the emulator API lists it. */
export interface ListedSmsCode {
  readonly phoneNumber: string;
  readonly code: string;
  readonly sessionInfo: string;
}

/** Returns the unused codes of text messages, the oldest first. */
export async function listSmsCodes(client: AuthClient): Promise<readonly ListedSmsCode[]> {
  const { json } = await client.request('GET', '/emulator/v1/projects/demo/verificationCodes');
  return json['verificationCodes'] as readonly ListedSmsCode[];
}

/** Returns the code of a `sessionInfo`. */
export async function requireSmsCode(client: AuthClient, sessionInfo: unknown): Promise<ListedSmsCode> {
  const found = (await listSmsCodes(client)).find((code) => code.sessionInfo === sessionInfo);
  if (found === undefined) throw new Error('There is no such code.');
  return found;
}

/** Asks for a code to sign in, and returns it. */
export async function requestSmsCode(
  client: AuthClient,
  phoneNumber: string = NUMBER,
): Promise<{ readonly sessionInfo: string; readonly code: string }> {
  const { json } = await client.post('accounts:sendVerificationCode', { phoneNumber });
  const { sessionInfo, code } = await requireSmsCode(client, json['sessionInfo']);
  return { sessionInfo, code };
}

/** Signs in with a new code for a number. */
export async function signInByPhone(
  client: AuthClient,
  phoneNumber: string = NUMBER,
  more: object = {},
): Promise<AuthAnswer> {
  return useSmsCode(client, { ...(await requestSmsCode(client, phoneNumber)), ...more });
}

export function useSmsCode(client: AuthClient, body: object): Promise<AuthAnswer> {
  return client.post('accounts:signInWithPhoneNumber', { ...body });
}

/** Returns a code that is not `code`. */
export function otherThan(code: string): string {
  return code === '000000' ? '000001' : '000000';
}
