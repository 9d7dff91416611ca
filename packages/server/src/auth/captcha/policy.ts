import { AuthApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { type AuthRequest, isOfPage } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import type { CaptchaAction } from './captcha.ts';
import { checkRecaptcha, type RecaptchaResult } from './recaptcha.ts';
import { isMarked } from './site-key.ts';

/** The text that the official SDK sends as `captchaResponse` when it has no token. */
const NO_TOKEN = 'NO_RECAPTCHA';
const VERSION = 'RECAPTCHA_ENTERPRISE';
/** The action of tokens from the older verifier of the SDK, which has no actions. */
const OLDER_ACTION = 'verify';

const UNAVAILABLE = 'The check of the challenge is not available. Try again later.';
const HELP = 'Load the script /__/auth/shim.js of this server before the SDK.';

/** Actions by email address and password. */
type EmailAction = 'signUpPassword' | 'signInWithPassword' | 'getOobCode';
/** Actions that send a text message. */
export type SmsAction = 'sendVerificationCode' | 'mfaSmsEnrollment' | 'mfaSmsSignIn';

/**
 * Throws if the project requires a solved challenge for an action and the request of an app has none. In the state
 * `AUDIT`, records the rejection instead.
 */
export async function requireCaptcha(
  call: AuthRequest,
  services: AuthServices,
  action: EmailAction,
): Promise<void> {
  const state = call.project.settings.captcha.emailPassword;
  if (state === 'OFF' || call.caller.kind === 'admin') return;
  const error = await findEmailProblem(call, services, action);
  if (error === undefined) return;
  if (state === 'ENFORCE') throw error;
  recordAudit(services, call, 'captcha_missing', null, { result: error.code, detail: action });
}

async function findEmailProblem(
  call: AuthRequest,
  services: AuthServices,
  action: EmailAction,
): Promise<AuthApiError | undefined> {
  const token = tokenOf(call.fields);
  if (token === undefined)
    return knowsChallenges(call)
      ? new AuthApiError('MISSING_RECAPTCHA_TOKEN')
      : new AuthApiError('CAPTCHA_CHECK_FAILED', `This project requires a proof of work. ${HELP}`);
  return findTokenProblem(call, services, call.fields, token, action);
}

/**
 * Returns whether the SDK in the page of a request asks for a token and repeats the request if the server says that one
 * is missing.
 */
function knowsChallenges({ project, fields }: AuthRequest): boolean {
  return project.settings.captcha.recaptcha !== undefined || isMarked(fields);
}

/** Returns why a token of the SDK's current verifier is not valid, or `undefined` if it is. */
async function findTokenProblem(
  call: AuthRequest,
  services: AuthServices,
  fields: Fields,
  token: string,
  action: CaptchaAction,
): Promise<AuthApiError | undefined> {
  const version = fields.filled('recaptchaVersion');
  if (fields.filled('clientType') === undefined) return new AuthApiError('MISSING_CLIENT_TYPE');
  if (version === undefined) return new AuthApiError('MISSING_RECAPTCHA_VERSION');
  if (version !== VERSION) return new AuthApiError('INVALID_RECAPTCHA_VERSION');
  const result = await checkToken(call, services, token, action);
  switch (result) {
    case 'valid':
      return undefined;
    case 'invalid':
      return new AuthApiError('INVALID_RECAPTCHA_TOKEN');
    case 'other-action':
      return new AuthApiError('INVALID_RECAPTCHA_ACTION');
    case 'unavailable':
      return new AuthApiError('CAPTCHA_CHECK_FAILED', UNAVAILABLE);
    default:
      return result satisfies never;
  }
}

/**
 * Checks a token. If the project uses reCAPTCHA, the server accepts solutions of its own challenges only from its own
 * pages, which request nothing from another host.
 */
function checkToken(
  call: AuthRequest,
  services: AuthServices,
  token: string,
  action: CaptchaAction,
): Promise<RecaptchaResult> {
  const { project, caller, client } = call;
  const { recaptcha } = project.settings.captcha;
  if (recaptcha !== undefined && !isOfPage(call))
    return checkRecaptcha(call, services, recaptcha, { token, action });
  return services.captcha.check(token, {
    projectId: project.id,
    apiKey: caller.kind === 'app' ? caller.apiKey : '',
    tenantId: project.scope.tenantId ?? '',
    address: client.address,
    action,
  });
}

/** Members of a request with which native apps claim to prove which app they are. */
const NATIVE_PROOFS = ['playIntegrityToken', 'safetyNetToken', 'iosReceipt'] as const;

/**
 * Returns whether a request for a text message has a solved challenge, or an App Check token. Throws if it has none
 * although the project requires one; from the error, the SDK learns which kind of token was wrong. `app` are the members
 * of the request that describe the app.
 */
export async function checkAppProof(
  call: AuthRequest,
  services: AuthServices,
  app: Fields,
  action: SmsAction,
): Promise<boolean> {
  if (isOfKnownApp(call, services)) return true;
  const error = await findAppProblem(call, services, app, action);
  if (error === undefined) return true;
  if (isAppProofRequired(call, services)) throw error;
  if (call.project.settings.captcha.phone === 'AUDIT')
    recordAudit(services, call, 'captcha_missing', null, { result: error.code, detail: action });
  return false;
}

/** Returns whether a valid App Check token proves the app. A project that enforces challenges accepts only these. */
function isOfKnownApp({ project, appCheckToken }: AuthRequest, { appChecks }: AuthServices): boolean {
  return (
    project.settings.captcha.phone !== 'ENFORCE' && appChecks.check(project, appCheckToken).kind === 'valid'
  );
}

/** Returns whether clients get text messages only with a proof of the app. */
export function isAppProofRequired({ project }: AuthRequest, { isDevelopment }: AuthServices): boolean {
  const { sms, captcha } = project.settings;
  return captcha.phone === 'ENFORCE' || (sms.appProof === 'REQUIRE' && !isDevelopment);
}

async function findAppProblem(
  call: AuthRequest,
  services: AuthServices,
  app: Fields,
  action: SmsAction,
): Promise<AuthApiError | undefined> {
  const token = tokenOf(app);
  if (token !== undefined) return findTokenProblem(call, services, app, token, action);
  const older = app.filled('recaptchaToken');
  if (older !== undefined)
    return (await checkToken(call, services, older, OLDER_ACTION)) === 'valid'
      ? undefined
      : new AuthApiError('CAPTCHA_CHECK_FAILED', `The token of the verifier is not valid. ${HELP}`);
  if (NATIVE_PROOFS.some((name) => app.has(name))) return new AuthApiError('INVALID_APP_CREDENTIAL');
  return new AuthApiError(knowsChallenges(call) ? 'MISSING_RECAPTCHA_TOKEN' : 'MISSING_CLIENT_IDENTIFIER');
}

/** Returns the token of the SDK's current verifier. Requests for mails call it `captchaResp`. */
function tokenOf(fields: Fields): string | undefined {
  const token = fields.filled('captchaResponse') ?? fields.filled('captchaResp');
  return token === NO_TOKEN ? undefined : token;
}
