import type { Role } from '../../server/role.ts';

/** What members may be, the mightiest first. */
export const ROLES: readonly Role[] = ['owner', 'editor', 'viewer'];
