import {
  decideAddress,
  decideSignUp,
  type SignUp,
  type SignUpDecision,
} from '@hearth/core/api/sign-up-rules.ts';
import { type Account, isAnonymous } from '../accounts/account.ts';
import { AuthApiError } from '../errors.ts';
import type { AuthRequest } from '../request.ts';

type Rejection = Extract<SignUpDecision, { readonly kind: 'rejected' }>;

/**
 * Throws `ADMIN_ONLY_OPERATION`, with the rule that decides, if the project does not allow its users to have such an
 * account. All rules decide about a new account, and about an anonymous one that gets its first sign-in method. The rules
 * for domains decide about another address of any other account. `before` is the account as it is stored; `undefined`
 * for a new one.
 */
export function requireSignUpPermitted(
  { project: { settings } }: AuthRequest,
  before: Account | undefined,
  { email, provider }: SignUp,
): void {
  // The backend of the app has decided about the account by its signature.
  if (provider === 'custom') return;
  if (before === undefined || isAnonymous(before)) {
    const decision = decideSignUp(settings.signUpRules, { email, provider });
    if (decision.kind === 'rejected') throw rejectedAccount(decision);
  } else if (email !== before.email) requireAddressPermitted({ settings }, email);
}

/** Throws `ADMIN_ONLY_OPERATION`, with the rule that decides, if the project does not allow users to have an address. */
export function requireAddressPermitted(
  { settings }: Pick<AuthRequest['project'], 'settings'>,
  email: string | null,
): void {
  const decision = decideAddress(settings.signUpRules, email);
  if (decision.kind === 'rejected') throw rejectedAddress(decision);
}

function rejectedAccount({ rule, value }: Rejection): AuthApiError {
  switch (rule) {
    case 'providers':
      return rejected(`no new accounts with ${value}`);
    case 'deniedDomains':
      return rejected(`no new accounts with addresses at ${value}`);
    case 'allowedDomains':
      return rejected(
        value === null
          ? 'only new accounts with an email address'
          : `new accounts only with addresses at certain domains, and not at ${value}`,
      );
    default:
      return rule satisfies never;
  }
}

function rejectedAddress({ rule, value }: Rejection): AuthApiError {
  return rejected(
    rule === 'allowedDomains'
      ? `only addresses at certain domains, and not at ${value}`
      : `no addresses at ${value}`,
  );
}

function rejected(what: string): AuthApiError {
  return new AuthApiError('ADMIN_ONLY_OPERATION', `The app allows ${what}.`);
}
