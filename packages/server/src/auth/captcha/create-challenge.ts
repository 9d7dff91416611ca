import { AuthApiError, AuthOverload } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { RETRY_AFTER_SEC } from '../throttling/throttle.ts';
import { CAPTCHA_ACTIONS } from './captcha.ts';
import { MAX_COST } from './difficulty.ts';

/** An App Check token serves many requests for an hour, so that its challenge costs this many times as much as others. */
const APP_CHECK_FACTOR = 10;

/** `POST /__/auth/challenge`: returns a proof of work that the client has to solve for an action. */
export async function createChallenge(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { caller, client, fields, project } = call;
  if (caller.kind !== 'app') throw new AuthApiError('INSUFFICIENT_PERMISSION');
  const action = fields.choice('action', CAPTCHA_ACTIONS);
  if (action === undefined)
    throw new AuthApiError('INVALID_RECAPTCHA_ACTION', `Use one of ${CAPTCHA_ACTIONS.join(', ')}.`);
  if (!services.throttle.isChallengeAllowed(call)) {
    recordAudit(services, call, 'challenges_limited', null, { result: 'rejected', detail: action });
    throw new AuthOverload(RETRY_AFTER_SEC, 429);
  }
  const request = {
    projectId: project.id,
    apiKey: caller.apiKey,
    tenantId: project.scope.tenantId ?? '',
    address: client.address,
    action,
  };
  const { cost } = project.settings.captcha;
  const factor = action === 'appCheck' ? APP_CHECK_FACTOR : 1;
  const { parameters, signature } = services.captcha.issue(request, Math.min(cost * factor, MAX_COST));
  return { parameters, signature };
}
