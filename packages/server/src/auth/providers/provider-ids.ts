/** Identity providers that clients know, in addition to those that a project names itself. */
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
/** Id of a provider that a project names itself. */
const CUSTOM_PROVIDER = /^(?:oidc|saml)\.[\w.-]{1,123}$/;

/** Returns whether a project can have a provider with the id. */
export function isProviderId(id: string): boolean {
  return PROVIDERS.has(id) || CUSTOM_PROVIDER.test(id);
}
