import type { RecordStoreView } from '../../records/store.ts';
import { isConsoleKey } from '../projects/projects.ts';
import { type AuthRequest, isOfPage } from '../request.ts';
import { isMember } from '../roles/member-store.ts';
import { type AuthServices, recordAudit } from '../services.ts';

/**
 * A request without a valid App Check token, where the project requires one. `isOfSession` is true for methods whose
 * errors in JSON would make clients sign the user out.
 */
export class AppCheckFailure extends Error {
  readonly isOfSession: boolean;

  constructor(isOfSession: boolean) {
    super('Firebase App Check token is invalid.');
    this.name = 'AppCheckFailure';
    this.isOfSession = isOfSession;
  }
}

/** Methods that read settings before a client can have a token, or that issue one. */
const EXEMPT: ReadonlySet<string> = new Set([
  '/v1/projects',
  '/v1/recaptchaParams',
  '/v2/recaptchaConfig',
  '/v2/passwordPolicy',
  '/__/auth/challenge',
  '/__/app-check/exchange',
  '/v1/projects/{project}/apps/{app}:exchangeCustomToken',
  '/v1/projects/{project}/apps/{app}:exchangeDebugToken',
  '/v1/projects/{project}/apps/{app}:exchangeRecaptchaV3Token',
  '/v1/projects/{project}/apps/{app}:exchangeRecaptchaEnterpriseToken',
]);

/** Methods that the pages of the server call with the code of an email: the code itself is the proof. */
const WITH_CODE: ReadonlySet<string> = new Set(['/v1/accounts:resetPassword', '/v1/accounts:update']);

const OF_SESSION: ReadonlySet<string> = new Set(['/v1/accounts:lookup', '/v1/token']);

/**
 * Checks the App Check token of an app's request. Throws `AppCheckFailure` if the project requires a token and this one is
 * not valid.
 */
export function requireAppCheck(call: AuthRequest, services: AuthServices, path: string): void {
  const { caller, fields, project, appCheckToken } = call;
  const mode = project.settings.appCheck.accounts;
  if (mode === 'OFF' || caller.kind !== 'app' || EXEMPT.has(path)) return;
  if (WITH_CODE.has(path) && fields.filled('oobCode') !== undefined) return;
  // The console has no token. A sign-in with its key succeeds only for members.
  if (isConsoleKey(caller.apiKey)) return;
  const result = isOfPage(call)
    ? services.appChecks.checkOfPage(project, appCheckToken)
    : services.appChecks.check(project, appCheckToken);
  services.appChecks.record(project, 'accounts', result);
  if (result.kind === 'valid' || mode !== 'ENFORCED') return;
  recordAudit(services, call, 'app_check_rejected', null, { result: result.kind, detail: path });
  throw new AppCheckFailure(OF_SESSION.has(path));
}

/**
 * Throws `AppCheckFailure` if a user who is not a member signs in with the key of the console, which needs no App Check
 * token, and the project requires one.
 */
export function requireMemberWithoutAppCheck(
  view: RecordStoreView,
  { caller, project }: AuthRequest,
  uid: string,
): void {
  if (caller.kind !== 'app' || !isConsoleKey(caller.apiKey)) return;
  if (project.settings.appCheck.accounts !== 'ENFORCED') return;
  if (!isMember(view, project.scope, uid)) throw new AppCheckFailure(false);
}
