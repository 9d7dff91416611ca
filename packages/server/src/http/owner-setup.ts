import type { Fields } from '../accounts/fields.ts';
import type { FirstOwner } from '../accounts/members/create-first-owner.ts';
import type { RequestSource } from '../audit/audit-trail.ts';

/** Makes the first owner of a project for whoever has the link. Rejects with an `IdentityError`. */
export type OwnerSetup = (fields: Fields, source: RequestSource) => Promise<FirstOwner>;
