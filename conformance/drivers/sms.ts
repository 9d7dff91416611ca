import type { ApplicationVerifier } from 'firebase/auth';
import { inject } from 'vitest';
import { isJsonObject, parseJson } from './json.ts';

/** Returns a phone number that another test is unlikely to use, in a range for fiction. */
export function freshPhoneNumber(): string {
  const digits = String(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);
  return `+1555${digits.padStart(7, '0').slice(-7)}`;
}

/**
 * A verifier that an app implements itself, and that loads no script. The SDK calls `_reset` although its types do not
 * say so.
 */
export const OWN_VERIFIER: ApplicationVerifier & { _reset(): void } = {
  type: 'recaptcha',
  verify: async () => 'token',
  _reset: () => {},
};

/** Returns the latest unused code that was sent to a number. Throws if there is none. */
export async function readSmsCode(phoneNumber: string, url = inject('serverUrl')): Promise<string> {
  const answer = await fetch(`${url}/emulator/v1/projects/demo/verificationCodes`);
  const json = parseJson(await answer.text());
  const listed = isJsonObject(json) ? json['verificationCodes'] : undefined;
  const codes = Array.isArray(listed) ? listed.filter(isJsonObject) : [];
  const found = codes.findLast((code) => code['phoneNumber'] === phoneNumber);
  if (found === undefined) throw new Error(`No unused code was sent to ${phoneNumber}.`);
  return String(found['code']);
}

/** Returns a code that is not `code`. */
export function wrongSmsCode(code: string): string {
  return code === '000000' ? '000001' : '000000';
}
