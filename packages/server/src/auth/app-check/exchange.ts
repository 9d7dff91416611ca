import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { type AuthRequest, isOfPage } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { DEFAULT_APP_CHECK_SEC } from '../tokens/app-check-assertion.ts';
import { LIMITED_USE_SEC } from './app-check-settings.ts';
import { PAGES_APP } from './app-checks.ts';
import { consumeToken } from './consumed-tokens.ts';
import { isDebugToken } from './debug-tokens.ts';

/** `POST /__/app-check/exchange`: exchanges a solved challenge for a token. Fields: `appId`, `token`, `limitedUse`. */
export function exchangeChallengeOfApp(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  return exchangeChallenge(call, services, call.fields.text('appId') ?? '', call.fields.text('token') ?? '');
}

/**
 * `POST /v1/projects/{project}/apps/{app}:exchangeRecaptchaV3Token` and `…:exchangeRecaptchaEnterpriseToken`: the
 * requests of the official providers, whose token is a solved challenge here.
 */
export function exchangeCaptcha(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, segments } = call;
  const token = fields.text('recaptcha_v3_token') ?? fields.text('recaptcha_enterprise_token') ?? '';
  return exchangeChallenge(call, services, segments['app'] ?? '', token);
}

async function exchangeChallenge(
  call: AuthRequest,
  services: AuthServices,
  appId: string,
  token: string,
): Promise<JsonObject> {
  const { caller, client, project } = call;
  if (caller.kind !== 'app') throw new AuthApiError('INSUFFICIENT_PERMISSION');
  services.throttle.requireRequestAllowed(call);
  const isForPage = appId === PAGES_APP && isOfPage(call);
  if (!isForPage && !services.appChecks.isAppOf(appId, project)) throw reject(call, services, 'unknown app');
  const request = {
    projectId: project.id,
    apiKey: caller.apiKey,
    tenantId: '',
    address: client.address,
    action: 'appCheck',
  } as const;
  const result = await services.captcha.check(token, request);
  if (result !== 'valid') throw reject(call, services, `challenge: ${result}`);
  return issue(call, services, appId, DEFAULT_APP_CHECK_SEC);
}

/** `POST /v1/projects/{project}/apps/{app}:exchangeDebugToken`: exchanges a registered debug token for a token. */
export async function exchangeDebugToken(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project, segments } = call;
  services.throttle.requireRequestAllowed(call);
  const appId = segments['app'] ?? '';
  const text = fields.text('debug_token') ?? fields.text('debugToken') ?? '';
  if (!services.appChecks.isAppOf(appId, project) || !isDebugToken(services, project, appId, text))
    throw reject(call, services, 'debug token');
  return issue(call, services, appId, DEFAULT_APP_CHECK_SEC);
}

/**
 * `POST /v1/projects/{project}/apps/{app}:exchangeCustomToken`: exchanges a token that a backend of the app has signed.
 * Fields: `customToken`, `limitedUse`.
 */
export async function exchangeCustomToken(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { caller, fields, project, segments } = call;
  if (caller.kind === 'app') services.throttle.requireRequestAllowed(call);
  const token = fields.filled('customToken') ?? fields.filled('custom_token') ?? '';
  const { appId, lifetimeSec } = await services.appCheckAssertions.verify(token, project.id);
  if (appId !== segments['app'] || !services.appChecks.isAppOf(appId, project))
    throw reject(call, services, 'unknown app');
  return issue(call, services, appId, lifetimeSec);
}

async function issue(
  { fields, project }: AuthRequest,
  { appChecks }: AuthServices,
  appId: string,
  lifetimeSec: number,
): Promise<JsonObject> {
  const isLimited = (fields.flag('limitedUse') ?? fields.flag('limited_use')) === true;
  const seconds = isLimited ? LIMITED_USE_SEC : lifetimeSec;
  return { token: await appChecks.tokens.issue(project, appId, seconds), ttl: `${seconds}s` };
}

/**
 * `POST /v1beta/projects/{project}:verifyAppCheckToken`: uses up a token, and returns whether it was used up before. Field:
 * `app_check_token`. The caller has verified the token; the server verifies it again.
 */
export async function verifyAppCheckToken(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project } = call;
  const text = fields.filled('app_check_token') ?? fields.filled('appCheckToken');
  const result = services.appChecks.check(project, text);
  if (result.kind !== 'valid') throw reject(call, services, 'token to use up');
  const { token } = result;
  const isFirst = await services.recordStore.change((transaction) =>
    consumeToken(transaction, project.id, token),
  );
  if (!isFirst)
    recordAudit(services, call, 'app_check_rejected', null, { result: 'used', detail: token.appId });
  return { alreadyConsumed: !isFirst };
}

/** Records a rejection in the audit log, and returns its error. The response does not reveal the reason. */
function reject(call: AuthRequest, services: AuthServices, detail: string): AuthApiError {
  recordAudit(services, call, 'app_check_rejected', null, { result: 'PERMISSION_DENIED', detail });
  return new AuthApiError('PERMISSION_DENIED', 'App attestation failed.');
}

/** `GET /v1/projects/{project}/appCheckRequests`: the requests that were counted since the start of the server. */
export async function listAppCheckCounts(
  { project }: AuthRequest,
  { appChecks }: AuthServices,
): Promise<JsonObject> {
  return {
    requests: appChecks.counts.list(project.id).map(({ lastAtMs, ...count }) => ({
      ...count,
      lastTime: new Date(lastAtMs).toISOString(),
    })),
  };
}
