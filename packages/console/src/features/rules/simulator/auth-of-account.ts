import type { Account } from '../../../server/accounts.ts';
import { parseJson } from './parse-json.ts';

/** The variable `auth` of somebody who has signed in to an account in one of its ways. */
export function authOfAccount(account: Account): Readonly<Record<string, unknown>> {
  const { localId, email, emailVerified, phoneNumber, displayName, customAttributes } = account;
  const provider = account.providerUserInfo?.[0]?.providerId ?? 'custom';
  const claims = customAttributes === undefined ? undefined : parseJson(customAttributes)?.json;
  return {
    uid: localId,
    provider,
    token: {
      sub: localId,
      user_id: localId,
      ...(displayName === undefined ? {} : { name: displayName }),
      ...(email === undefined ? {} : { email, email_verified: emailVerified ?? false }),
      ...(phoneNumber === undefined ? {} : { phone_number: phoneNumber }),
      firebase: { sign_in_provider: provider, identities: {} },
      ...(typeof claims === 'object' && claims !== null ? claims : {}),
    },
  };
}
