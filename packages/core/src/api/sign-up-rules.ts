/** Which new accounts a project allows, and claims for users by domain. Empty lists restrict nothing. */
export interface SignUpRules {
  /** The domains of the addresses that may have an account, in lower case and without their subdomains. */
  readonly allowedDomains: readonly string[];
  /** The domains of addresses that may not. */
  readonly deniedDomains: readonly string[];
  /** The providers with which users may create an account, such as `password` or `google.com`. */
  readonly providers: readonly string[];
  /** Claims of users with a verified address, by the domain of the address. */
  readonly claims: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const NO_SIGN_UP_RULES: SignUpRules = {
  allowedDomains: [],
  deniedDomains: [],
  providers: [],
  claims: {},
};

/** A new account about which the rules decide. */
export interface SignUp {
  /** The address of the account; `null` for none. */
  readonly email: string | null;
  readonly provider: string;
}

/** The decision of the rules, with the rule that rejects the account and the value that it looked at. */
export type SignUpDecision =
  | { readonly kind: 'allowed' }
  | {
      readonly kind: 'rejected';
      readonly rule: 'providers' | 'deniedDomains' | 'allowedDomains';
      /** The provider or the domain; `null` if the account has no address. */
      readonly value: string | null;
    };

/** Returns the domain of an address, in lower case. */
function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** Decides about a new account. The first rule that rejects it decides: provider, denied domains, allowed domains. */
export function decideSignUp(rules: SignUpRules, { email, provider }: SignUp): SignUpDecision {
  if (rules.providers.length > 0 && !rules.providers.includes(provider))
    return { kind: 'rejected', rule: 'providers', value: provider };
  return decideAddress(rules, email);
}

/** Decides about the address of an account; `null` for none. */
export function decideAddress(
  { deniedDomains, allowedDomains }: SignUpRules,
  email: string | null,
): SignUpDecision {
  const domain = email === null ? null : domainOf(email);
  if (domain !== null && deniedDomains.includes(domain))
    return { kind: 'rejected', rule: 'deniedDomains', value: domain };
  if (allowedDomains.length > 0 && (domain === null || !allowedDomains.includes(domain)))
    return { kind: 'rejected', rule: 'allowedDomains', value: domain };
  return { kind: 'allowed' };
}

/** Returns the claims of a user whose address is verified; `undefined` for none. */
export function claimsOfDomain(
  { claims }: SignUpRules,
  email: string,
): Readonly<Record<string, unknown>> | undefined {
  const domain = domainOf(email);
  return Object.hasOwn(claims, domain) ? claims[domain] : undefined;
}
