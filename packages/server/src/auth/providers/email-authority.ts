import type { ProviderAssertion } from './assertion.ts';
import { findPreset } from './presets.ts';
import type { ProviderConfig } from './provider-config.ts';

/**
 * Returns whether a project accepts an assertion as proof that the user owns the address. A provider that lets its users
 * choose any address could otherwise take over every account.
 */
export function isEmailProven(
  { emailAuthority, providerId }: ProviderConfig,
  { email, isEmailVerified, rawUserInfo }: ProviderAssertion,
): boolean {
  if (email === null || !isEmailVerified) return false;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  switch (emailAuthority.kind) {
    case 'never':
      return false;
    case 'verified':
      return true;
    case 'domains':
      return emailAuthority.domains.includes(domain);
    case 'default':
      return isProvenByPreset(providerId, domain, rawUserInfo);
    default:
      return emailAuthority satisfies never;
  }
}

function isProvenByPreset(
  providerId: string,
  domain: string,
  rawUserInfo: ProviderAssertion['rawUserInfo'],
): boolean {
  const proven = findPreset(providerId)?.provenAddresses ?? { kind: 'none' };
  switch (proven.kind) {
    case 'none':
      return false;
    case 'verified':
      return true;
    case 'hosted':
      return proven.domains.includes(domain) || rawUserInfo[proven.claim] === domain;
    default:
      return proven satisfies never;
  }
}
