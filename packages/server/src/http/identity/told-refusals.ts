import type { IdentityCall } from '../../accounts/identity-call.ts';
import { IdentityError } from '../../accounts/identity-error.ts';
import type { IdentityServices } from '../../accounts/identity-services.ts';
import { tellAudit } from '../../accounts/tell-audit.ts';
import type { AuditEventName } from '../../audit/audit-events.ts';
import { TokenProblem } from '../../tokens/token-problem.ts';

interface ToldRefusal {
  readonly event: AuditEventName;
  readonly detail?: string;
  /** Codes that the method tells itself, because it keeps what led to them. */
  readonly except?: readonly string[];
}

/** The methods whose refusals are told to the audit, by the paths of their routes. What they did they tell themselves. */
const TOLD_REFUSALS: Readonly<Record<string, ToldRefusal>> = {
  '/v1/accounts:signUp': { event: 'sign_up' },
  '/v1/accounts:signInWithPassword': { event: 'sign_in', detail: 'password' },
  '/v1/accounts:signInWithCustomToken': { event: 'sign_in', detail: 'custom' },
  '/v1/accounts:signInWithEmailLink': { event: 'sign_in', detail: 'emailLink' },
  '/v2/accounts/mfaSignIn:finalize': { event: 'sign_in', detail: 'second factor', except: ['INVALID_CODE'] },
  '/v2/accounts/mfaEnrollment:finalize': { event: 'second_factor_added' },
  '/v2/accounts/mfaEnrollment:withdraw': { event: 'second_factor_removed' },
  '/v1/accounts:resetPassword': { event: 'password_reset' },
  '/v1/accounts:update': { event: 'account_updated' },
  '/v1/accounts:delete': { event: 'account_deleted' },
};

/** Tells the audit of a refusal where it matters. A request that is not whole was no attempt at anything. */
export function tellRefusal(
  services: IdentityServices,
  path: string,
  call: IdentityCall,
  error: unknown,
): void {
  const told = TOLD_REFUSALS[path];
  if (told === undefined || !(error instanceof IdentityError || error instanceof TokenProblem)) return;
  const { code } = error;
  if (code.startsWith('MISSING_') || told.except?.includes(code) === true) return;
  tellAudit(services, call, told.event, error instanceof IdentityError ? error.uid : null, {
    result: code,
    detail: told.detail ?? null,
  });
}
