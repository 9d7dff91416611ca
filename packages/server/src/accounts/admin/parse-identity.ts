import type { FederatedIdentity } from '../account.ts';
import type { Fields } from '../fields.ts';

/** An identity at another provider as an administrator describes it; the members that make it one are known already. */
export function parseIdentity(
  info: Fields,
  {
    providerId,
    rawId,
    wasLinkedVerified,
  }: Pick<FederatedIdentity, 'providerId' | 'rawId' | 'wasLinkedVerified'>,
): FederatedIdentity {
  return {
    providerId,
    rawId,
    email: info.filled('email') ?? null,
    displayName: info.filled('displayName') ?? null,
    photoUrl: info.filled('photoUrl') ?? null,
    screenName: info.filled('screenName') ?? null,
    wasLinkedVerified,
  };
}
