import type { Administrators } from '../../accounts/administrators.ts';
import type { AdminVerifier } from './admin-verifier.ts';

/** The administrators that have a token of this server. */
export function tokenAdmins(administrators: Administrators): AdminVerifier {
  return { verify: async (token) => administrators.verify(token) };
}
