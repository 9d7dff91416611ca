import { IdentityError } from './identity-error.ts';

/** Identity providers that clients know of, beside those that a project names itself. */
const PROVIDERS: ReadonlySet<string> = new Set([
  'apple.com',
  'facebook.com',
  'gc.apple.com',
  'github.com',
  'google.com',
  'linkedin.com',
  'microsoft.com',
  'playgames.google.com',
  'twitter.com',
  'yahoo.com',
]);
/** A provider that a project names itself. */
const OWN_PROVIDER = /^(?:oidc|saml)\.[\w.-]+$/;

/** Refuses a provider that no project can have, and all others because none has them. */
export function mustBeEnabledProvider(providerId: string): never {
  if (!PROVIDERS.has(providerId) && !OWN_PROVIDER.test(providerId))
    throw new IdentityError('INVALID_PROVIDER_ID');
  throw providerNotEnabled();
}

export function providerNotEnabled(): IdentityError {
  return new IdentityError('OPERATION_NOT_ALLOWED', 'The identity provider configuration is not found.');
}
