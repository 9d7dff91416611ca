import type { FederatedIdentity } from '../account.ts';
import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import { parseDisplayName, parsePhotoUrl } from '../profile.ts';

/** So that accounts can be found by it, whatever its characters. */
const MAX_RAW_ID_LENGTH = 255;
const MAX_PROVIDER_ID_LENGTH = 128;
const MAX_EMAIL_LENGTH = 255;

/**
 * An identity at another provider as an administrator describes it; the members that make it one are known already. Refuses
 * with `INVALID_PROVIDER_ID`, `INVALID_EMAIL` and `INVALID_ARGUMENT` what is too long or not what it should be.
 */
export function parseIdentity(
  info: Fields,
  {
    providerId,
    rawId,
    wasLinkedVerified,
  }: Pick<FederatedIdentity, 'providerId' | 'rawId' | 'wasLinkedVerified'>,
): FederatedIdentity {
  if (providerId.length > MAX_PROVIDER_ID_LENGTH || !providerId.isWellFormed())
    throw new IdentityError('INVALID_PROVIDER_ID');
  if (rawId.length > MAX_RAW_ID_LENGTH || !rawId.isWellFormed())
    throw new IdentityError('INVALID_ARGUMENT', `A raw ID has at most ${MAX_RAW_ID_LENGTH} characters.`);
  const email = info.filled('email') ?? null;
  if (email !== null && email.length > MAX_EMAIL_LENGTH) throw new IdentityError('INVALID_EMAIL');
  return {
    providerId,
    rawId,
    email,
    displayName: parseDisplayName(info.text('displayName') ?? ''),
    photoUrl: parsePhotoUrl(info.text('photoUrl') ?? ''),
    screenName: parseDisplayName(info.text('screenName') ?? ''),
    wasLinkedVerified,
  };
}
