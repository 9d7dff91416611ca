import { MAX_CUSTOM_CLAIMS_LENGTH } from '@hearth/core/api/custom-claims.ts';
import type { Account } from '../accounts/account.ts';
import { parseDisplayName, parsePhotoUrl } from '../accounts/field-parsers.ts';
import { AuthApiError } from '../errors.ts';
import { Fields, isJsonObject, type JsonObject } from '../fields.ts';
import type { HookEvent } from '../projects/hook-settings.ts';
import { requireCustomClaims } from '../tokens/id-token.ts';
import { TokenProblem } from '../tokens/jwt.ts';
import { hookError } from './hook-caller.ts';

/** The changes of a function to the account and the session of a sign-in. */
export interface HookChanges {
  readonly account: Partial<
    Pick<Account, 'displayName' | 'photoUrl' | 'isDisabled' | 'isEmailVerified' | 'customAttributes'>
  >;
  readonly sessionClaims: JsonObject | null;
}

export const NO_CHANGES: HookChanges = { account: {}, sessionClaims: null };

/**
 * Reads the answer of a function: the members of `userRecord` that its `updateMask` names. Throws
 * `BLOCKING_FUNCTION_ERROR_RESPONSE` if a value is not valid, and `CAPTCHA_CHECK_FAILED` if the function treats the client as a
 * program. Answers about messages change nothing.
 */
export function readHookAnswer(answer: JsonObject, event: HookEvent): HookChanges {
  // `ALLOW` has no effect: it would lift a rejection by score, and solved challenges have no score.
  if (answer['recaptchaActionOverride'] === 'BLOCK')
    throw new AuthApiError('CAPTCHA_CHECK_FAILED', 'The function of the project blocked the client.');
  if (event === 'beforeSendEmail' || event === 'beforeSendSms') return NO_CHANGES;
  try {
    const record = new Fields(answer).object('userRecord');
    return record === undefined ? NO_CHANGES : readChanges(record, event);
  } catch (cause) {
    if (!(cause instanceof AuthApiError || cause instanceof TokenProblem)) throw cause;
    throw hookError(`The answer of the function is not valid: ${cause.message}`);
  }
}

function readChanges(record: Fields, event: HookEvent): HookChanges {
  const mask = (record.text('updateMask') ?? '').split(',').map((name) => name.trim());
  const has = (...names: readonly string[]): boolean => names.some((name) => mask.includes(name));
  return {
    account: {
      ...(has('displayName') ? { displayName: parseDisplayName(record.text('displayName') ?? '') } : {}),
      // Versions of the official library differ in the spelling.
      ...(has('photoUrl', 'photoURL')
        ? { photoUrl: parsePhotoUrl(record.text('photoUrl') ?? record.text('photoURL') ?? '') }
        : {}),
      ...(has('disabled') ? { isDisabled: record.flag('disabled') ?? false } : {}),
      ...(has('emailVerified') ? { isEmailVerified: record.flag('emailVerified') ?? false } : {}),
      ...(has('customClaims') ? { customAttributes: readClaims(record, 'customClaims') } : {}),
    },
    sessionClaims:
      event === 'beforeSignIn' && has('sessionClaims') ? parseClaims(record, 'sessionClaims') : null,
  };
}

function readClaims(record: Fields, name: string): string | null {
  const claims = parseClaims(record, name);
  return Object.keys(claims).length === 0 ? null : JSON.stringify(claims);
}

function parseClaims(record: Fields, name: string): JsonObject {
  const value = record.find(name) ?? {};
  const claims = requireCustomClaims(isJsonObject(value) ? value : undefined);
  if (JSON.stringify(claims).length > MAX_CUSTOM_CLAIMS_LENGTH) throw new AuthApiError('CLAIMS_TOO_LARGE');
  return claims;
}
