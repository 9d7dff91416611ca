import { claimsOfDomain, decideSignUp, type SignUpDecision } from '@hearth/core/api/sign-up-rules.ts';
import type { Account } from '../accounts/account.ts';
import { AuthApiError } from '../errors.ts';
import type { AuthRequest } from '../request.ts';
import type { SignInClaims } from '../sign-in/session.ts';

/** Throws `ADMIN_ONLY_OPERATION`, with the rule that decides, if the project does not allow a new account. */
export function requireSignUpPermitted(
  { project }: AuthRequest,
  { email }: Account,
  { provider }: SignInClaims,
): void {
  // The backend of the app has decided about the account by its signature.
  if (provider === 'custom') return;
  const decision = decideSignUp(project.settings.signUpRules, { email, provider });
  if (decision.kind === 'rejected') throw new AuthApiError('ADMIN_ONLY_OPERATION', explain(decision));
}

function explain({ rule, value }: Extract<SignUpDecision, { readonly kind: 'rejected' }>): string {
  switch (rule) {
    case 'providers':
      return `The app allows no new accounts with ${value}.`;
    case 'deniedDomains':
      return `The app allows no new accounts with addresses at ${value}.`;
    case 'allowedDomains':
      return value === null
        ? 'The app allows only new accounts with an email address.'
        : `The app allows new accounts only with addresses at certain domains, and not at ${value}.`;
    default:
      return rule satisfies never;
  }
}

/** Returns the claims of a session with those that the project gives to the domain of a verified address. */
export function withClaimsOfDomain(
  { project }: AuthRequest,
  { email, isEmailVerified }: Account,
  signInClaims: SignInClaims,
): SignInClaims {
  const claims =
    email === null || !isEmailVerified ? undefined : claimsOfDomain(project.settings.signUpRules, email);
  if (claims === undefined) return signInClaims;
  return { ...signInClaims, sessionClaims: { ...claims, ...signInClaims.sessionClaims } };
}
