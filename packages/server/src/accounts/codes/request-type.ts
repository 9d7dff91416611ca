import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';

/** In the order of the official interface: older clients send positions. */
const TYPES = [
  'OOB_REQ_TYPE_UNSPECIFIED',
  'PASSWORD_RESET',
  'OLD_EMAIL_AGREE',
  'NEW_EMAIL_ACCEPT',
  'VERIFY_EMAIL',
  'RECOVER_EMAIL',
  'EMAIL_SIGNIN',
  'VERIFY_AND_CHANGE_EMAIL',
  'REVERT_SECOND_FACTOR_ADDITION',
] as const;

/** Codes that clients ask for; others are handed out when something happens to an account. */
const REQUESTED = ['PASSWORD_RESET', 'VERIFY_EMAIL', 'EMAIL_SIGNIN', 'VERIFY_AND_CHANGE_EMAIL'] as const;

export type RequestType = (typeof REQUESTED)[number];

/** What code a request asks for. Refuses with `MISSING_REQ_TYPE` or `INVALID_REQ_TYPE`. */
export function mustReadRequestType(fields: Fields): RequestType {
  const given = fields.find('requestType');
  const type = fields.choice('requestType', TYPES);
  if (given === undefined || given === '' || type === 'OOB_REQ_TYPE_UNSPECIFIED')
    throw new IdentityError('MISSING_REQ_TYPE');
  const requested = REQUESTED.find((known) => known === type);
  if (requested === undefined) throw new IdentityError('INVALID_REQ_TYPE');
  return requested;
}
