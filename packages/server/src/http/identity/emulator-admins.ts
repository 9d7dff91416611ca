import type { Administrators } from '../../accounts/administrators.ts';
import { IdentityError } from '../../accounts/identity-error.ts';
import { ADMIN_ROLES } from '../../tokens/service-account.ts';

/**
 * The administrators of the official emulators: whoever sends a token of any kind, of every project. Development mode only.
 */
export const emulatorAdmins: Pick<Administrators, 'verify'> = {
  async verify(token) {
    if (token === '') throw new IdentityError('UNAUTHENTICATED');
    return { name: 'owner', projectId: null, roles: ADMIN_ROLES, expiresAtMs: null, grant: null };
  },
};
