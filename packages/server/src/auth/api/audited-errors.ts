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
  /** The only error codes that are recorded. All if absent. */
  readonly only?: readonly string[];
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
  '/v1/accounts:signInWithPhoneNumber': { event: 'sign_in', detail: 'phone' },
  '/v1/accounts:createAuthUri': { event: 'redirect_rejected', only: ['UNAUTHORIZED_DOMAIN'] },
  '/v1/accounts:sendVerificationCode': { event: 'sms_refused' },
  '/v1/accounts:sendOobCode': { event: 'code_issued' },
  '/v2/accounts/mfaSignIn:start': { event: 'sms_refused' },
  '/v2/accounts/mfaEnrollment:start': { event: 'second_factor_added' },
  '/v2/accounts/mfaSignIn:finalize': { event: 'sign_in', detail: 'second factor', except: ['INVALID_CODE'] },
  '/v2/accounts/mfaEnrollment:finalize': { event: 'second_factor_added' },
  '/v2/accounts/mfaEnrollment:withdraw': { event: 'second_factor_removed' },
  '/v2/accounts/passkeySignIn:finalize': { event: 'sign_in', detail: 'passkey' },
  '/v2/accounts/passkeyEnrollment:finalize': { event: 'passkey_added' },
  '/v1/accounts:resetPassword': { event: 'password_reset' },
  '/v1/accounts:update': { event: 'account_updated' },
  '/v1/accounts:delete': { event: 'account_deleted' },
  '/__/auth/session:code': { event: 'redirect_rejected', only: ['UNAUTHORIZED_DOMAIN'] },
  '/__/auth/redirect-result': { event: 'sign_in', detail: 'code of a page' },
};

/** The code of requests that name two tenants. Every method records it. */
const OTHER_TENANT = 'TENANT_ID_MISMATCH';

/**
 * Records the error of a method in `AUDITED_ERRORS` in the audit log, unless a required field was missing or the method
 * records the error itself. For every method, records an error that the request names another tenant than its token.
 */
export function auditRejection(
  services: AuthServices,
  path: string,
  call: AuthRequest,
  error: unknown,
): void {
  if (!(error instanceof AuthApiError || error instanceof TokenProblem)) return;
  const { code } = error;
  const known = AUDITED_ERRORS[path];
  const reported =
    (known?.only?.includes(code) === false ? undefined : known) ?? auditedTenantError(path, code);
  if (reported === undefined || code.startsWith('MISSING_') || reported.except?.includes(code) === true)
    return;
  const [uid, reason] = error instanceof AuthApiError ? [error.uid, error.reason] : [null, null];
  recordAudit(services, call, reported.event, uid, {
    result: code,
    detail: reason ?? reported.detail ?? null,
  });
}

function auditedTenantError(path: string, code: string): AuditedError | undefined {
  return code === OTHER_TENANT ? { event: 'tenant_rejected', detail: path } : undefined;
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
