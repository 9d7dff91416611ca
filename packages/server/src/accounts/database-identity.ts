import { administrator } from '../identity/administrator.ts';
import { GUEST, type Identity } from '../identity/identity.ts';
import type { Credential } from '../identity/verifier.ts';
import type { Administrator } from './administrator.ts';

/** Who an administrator of a project is in its databases: whoever has no role there is nobody. */
export function databaseIdentity(
  credential: Pick<Credential, 'override'>,
  { roles, expiresAtMs, grant }: Administrator,
): Identity {
  const mayChange = roles.includes('database.admin');
  if (!mayChange && !roles.includes('database.viewer')) return GUEST;
  return administrator(credential, { mayChange, expiresAtMs, grant });
}
