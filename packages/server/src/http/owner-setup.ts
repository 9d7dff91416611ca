import type { Fields } from '../accounts/fields.ts';
import type { ClientInfo } from '../accounts/identity-call.ts';
import type { FirstOwner } from '../accounts/members/create-first-owner.ts';

/** Makes the first owner of a project for whoever has the link. Rejects with an `IdentityError`. */
export type OwnerSetup = (
  fields: Fields,
  client: Pick<ClientInfo, 'address' | 'userAgent'>,
) => Promise<FirstOwner>;
