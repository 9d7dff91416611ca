import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { findOverload } from '../flows/flow-failure.ts';
import { fetchAnswer, ProviderFailure } from '../providers/provider-requests.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import type { CaptchaAction, CaptchaResult } from './captcha.ts';
import { openRecaptchaSecret, type ProjectRecaptcha, type RecaptchaKey } from './recaptcha-keys.ts';

const VERIFY_URL = new URL('https://www.google.com/recaptcha/api/siteverify');
/** A token that reCAPTCHA has given to no client. */
const TEST_TOKEN = 'hearth-test';
/** Longest token, in UTF-16 code units. */
const MAX_TOKEN_LENGTH = 16_384;
/** Errors that mean that the secret is wrong, and not the token. */
const SECRET_ERRORS: readonly unknown[] = ['missing-input-secret', 'invalid-input-secret'];

/** `unavailable`: reCAPTCHA does not answer, or rejects the secret. */
export type RecaptchaResult = CaptchaResult | 'unavailable';

/** Asks reCAPTCHA about a token. Throws a `ProviderFailure` if it does not answer, or rejects the secret. */
async function verify(
  { client: { network }, project }: AuthRequest,
  { secretBox, providers }: AuthServices,
  key: RecaptchaKey,
  token: string,
): Promise<JsonObject> {
  const secret = openRecaptchaSecret(secretBox, key);
  const send = providers.requests.sendFor({ network, projectId: project.id });
  const answer = await fetchAnswer(send, VERIFY_URL, { secret: secret.reveal(), response: token });
  const errors = answer['error-codes'];
  if (Array.isArray(errors) && errors.some((error) => SECRET_ERRORS.includes(error)))
    throw new ProviderFailure('reCAPTCHA rejects the secret.');
  return answer;
}

/**
 * `POST …/recaptcha:test`: asks reCAPTCHA whether it accepts the stored secrets, about a token that no client got. It cannot
 * say whether a site key belongs to its secret. Throws `CONFIGURATION_NOT_FOUND` if the project has no keys.
 */
export async function testRecaptcha(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project } = call;
  services.throttle.requireAllowedInProject(project.id, 'configChanges');
  const { recaptcha } = project.settings.captcha;
  if (recaptcha === undefined) throw new AuthApiError('CONFIGURATION_NOT_FOUND');
  const keys = [recaptcha.score, recaptcha.verifier].filter((key) => key !== null);
  const tests = await Promise.all(
    keys.map(async (key) => {
      const { siteKey } = key;
      try {
        await verify(call, services, key, TEST_TOKEN);
        return { siteKey, state: 'ok', message: null };
      } catch (cause) {
        const overload = findOverload(cause);
        if (overload !== undefined) throw overload;
        if (!(cause instanceof ProviderFailure)) throw cause;
        return { siteKey, state: 'failed', message: cause.message };
      }
    }),
  );
  return { tests };
}

/** Asks reCAPTCHA about a token of a client. reCAPTCHA accepts each token once. */
export async function checkRecaptcha(
  call: AuthRequest,
  services: AuthServices,
  recaptcha: ProjectRecaptcha,
  given: { readonly token: string; readonly action: CaptchaAction },
): Promise<RecaptchaResult> {
  const { token, action } = given;
  const isOlder = action === 'verify';
  const key = isOlder ? recaptcha.verifier : recaptcha.score;
  if (key === null || token.length > MAX_TOKEN_LENGTH) return 'invalid';
  try {
    const answer = await verify(call, services, key, token);
    if (answer['success'] !== true) return 'invalid';
    // Keys of the older verifier know no actions and no scores.
    if (isOlder) return 'valid';
    if (answer['action'] !== action) return 'other-action';
    return typeof answer['score'] === 'number' && answer['score'] >= recaptcha.minScore ? 'valid' : 'invalid';
  } catch (cause) {
    if (findOverload(cause) !== undefined) return 'unavailable';
    if (!(cause instanceof ProviderFailure)) throw cause;
    recordAudit(services, call, 'provider_unavailable', null, { detail: `reCAPTCHA: ${cause.message}` });
    return 'unavailable';
  }
}
