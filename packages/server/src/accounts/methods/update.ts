import { updateByAdmin } from '../admin/update-by-admin.ts';
import { applyCode } from '../codes/apply-code.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { updateOwnAccount } from '../own-change/update-own-account.ts';

/** `accounts:update`: by a code of a mail, by an administrator, or by the holder of an ID token. */
export async function update(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { fields, caller } = call;
  if (fields.has('oobCode')) return applyCode(call, services);
  if (caller.kind === 'admin' && (fields.has('localId') || !fields.has('idToken')))
    return updateByAdmin(call, services);
  if (!fields.has('idToken')) throw new IdentityError('INVALID_REQ_TYPE', 'Unsupported request parameters.');
  return updateOwnAccount(call, services);
}
