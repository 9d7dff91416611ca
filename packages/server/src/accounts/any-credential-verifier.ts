import type { Identity } from '../identity/identity.ts';
import type { Credential, CredentialVerifier, DatabaseRealm } from '../identity/verifier.ts';

/** Passes credentials of administrators on to one verifier, and all others to another. */
export function anyCredentialVerifier(
  isAdminToken: (token: string) => boolean,
  admins: CredentialVerifier,
  users: CredentialVerifier,
): CredentialVerifier {
  return {
    verify: (credential: Credential, realm: DatabaseRealm): Promise<Identity> =>
      (isAdminToken(credential.token) ? admins : users).verify(credential, realm),
  };
}
