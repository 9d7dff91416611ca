import { IdentityError } from '../../accounts/identity-error.ts';
import { ADMIN_ROLES } from '../../tokens/service-account.ts';
import type { AdminVerifier } from './admin-verifier.ts';

/**
 * The administrators of the official emulators: whoever sends a token of any kind, of every project. Development mode only.
 */
export const emulatorAdmins: AdminVerifier = {
  async verify(token) {
    if (token === '') throw new IdentityError('UNAUTHENTICATED');
    return { name: 'owner', projectId: null, roles: ADMIN_ROLES };
  },
};
