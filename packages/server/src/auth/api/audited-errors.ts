import type { AuditEventName } from '../../audit/trail.ts';
import { AuthApiError } from '../errors.ts';
import { type AuthRequest, type ClientInfo, sourceOf } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { TokenProblem } from '../tokens/jwt.ts';
import { asAuthApiError } from './error-response.ts';

interface AuditedError {
  readonly event: AuditEventName;
  readonly detail?: string;
  /** Error codes that are not recorded here: the method records these attempts itself. */
  readonly except?: readonly string[];
}

/**
 * The methods whose errors are recorded in the audit log, by the paths of their routes. The methods themselves
 * record their successes.
 */
const AUDITED_ERRORS: Readonly<Record<string, AuditedError>> = {
  '/v1/accounts:signUp': { event: 'sign_up' },
  '/v1/accounts:signInWithPassword': { event: 'sign_in', detail: 'password' },
  '/v1/accounts:signInWithCustomToken': { event: 'sign_in', detail: 'custom' },
  '/v1/accounts:signInWithEmailLink': { event: 'sign_in', detail: 'emailLink' },
  '/v1/accounts:signInWithIdp': { event: 'sign_in', detail: 'provider' },
  '/v2/accounts/mfaSignIn:finalize': { event: 'sign_in', detail: 'second factor', except: ['INVALID_CODE'] },
  '/v2/accounts/mfaEnrollment:finalize': { event: 'second_factor_added' },
  '/v2/accounts/mfaEnrollment:withdraw': { event: 'second_factor_removed' },
  '/v2/accounts/passkeySignIn:finalize': { event: 'sign_in', detail: 'passkey' },
  '/v2/accounts/passkeyEnrollment:finalize': { event: 'passkey_added' },
  '/v1/accounts:resetPassword': { event: 'password_reset' },
  '/v1/accounts:update': { event: 'account_updated' },
  '/v1/accounts:delete': { event: 'account_deleted' },
};

/**
 * Records the error of a method in `AUDITED_ERRORS` in the audit log, unless a required field was missing or the
 * method records the error itself.
 */
export function auditRejection(
  services: AuthServices,
  path: string,
  call: AuthRequest,
  error: unknown,
): void {
  const reported = AUDITED_ERRORS[path];
  if (reported === undefined || !(error instanceof AuthApiError || error instanceof TokenProblem)) return;
  const { code } = error;
  if (code.startsWith('MISSING_') || reported.except?.includes(code) === true) return;
  recordAudit(services, call, reported.event, error instanceof AuthApiError ? error.uid : null, {
    result: code,
    detail: reported.detail ?? null,
  });
}

/** Records in the audit log that an administrator was rejected because of the token, the roles or the project. */
export function auditRejectedAdmin(
  { audit, projects }: AuthServices,
  projectId: string | undefined,
  actor: string,
  client: ClientInfo,
  thrown: unknown,
): void {
  const error = asAuthApiError(thrown);
  if (!(error instanceof AuthApiError || error instanceof TokenProblem)) return;
  audit.notify({
    event: 'admin_refused',
    // Unknown project ids must not create record stores.
    projectId: projectId === undefined ? null : (projects.find(projectId)?.id ?? null),
    uid: null,
    actor,
    ...sourceOf(client),
    result: error.code,
    detail: null,
  });
}
