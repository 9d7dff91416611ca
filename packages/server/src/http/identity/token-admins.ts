import type { Administrators } from '../../accounts/administrators.ts';
import type { AdminVerifier } from './admin-verifier.ts';

/** The administrators that have a token of this server. */
export function tokenAdmins(administrators: Administrators): AdminVerifier {
  return {
    async verify(token) {
      const { name, projectId, roles } = administrators.verify(token);
      return { name, projectId, roles, mayReadHashes: roles.includes('identity.hashReader') };
    },
  };
}
