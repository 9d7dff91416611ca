import type { RecordStoreView } from '../../records/store.ts';
import { isConsoleKey } from '../projects/projects.ts';
import { type AuthRequest, isOfPage } from '../request.ts';
import { isMember } from '../roles/member-store.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import type { AppCheckToken } from './app-check-tokens.ts';
import { type AppCheckResult, PAGES_APP } from './app-checks.ts';
import { consumeToken } from './consumed-tokens.ts';

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
 * Checks the App Check token of an app's request, and uses it up if the method needs one of its own. Throws
 * `AppCheckFailure` if the project requires a token and this one is not valid.
 */
export async function requireAppCheck(
  call: AuthRequest,
  services: AuthServices,
  path: string,
): Promise<void> {
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
  if (mode !== 'ENFORCED') return;
  const reason =
    result.kind === 'valid' && isLimited(call, path)
      ? await findLimitedProblem(call, services, result.token)
      : findProblem(result);
  if (reason === undefined) return;
  recordAudit(services, call, 'app_check_rejected', null, { result: reason, detail: path });
  throw new AppCheckFailure(OF_SESSION.has(path));
}

function findProblem({ kind }: AppCheckResult): string | undefined {
  return kind === 'valid' ? undefined : kind;
}

/** Returns whether the project requires a token for each request of a method. */
function isLimited({ project }: AuthRequest, path: string): boolean {
  return project.settings.appCheck.limitedUse.some((method) => path.endsWith(`/${method}`));
}

/** Uses a token up. Returns why it is not accepted. The hosted pages get a new token for each of these requests. */
async function findLimitedProblem(
  { project }: AuthRequest,
  { recordStore }: AuthServices,
  token: AppCheckToken,
): Promise<string | undefined> {
  if (!token.isLimitedUse && token.appId !== PAGES_APP) return 'not limited use';
  const isFirst = await recordStore.change((transaction) => consumeToken(transaction, project.id, token));
  return isFirst ? undefined : 'used';
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
