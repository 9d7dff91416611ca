import { findOverload } from '../flows/flow-failure.ts';
import { fetchAnswer, ProviderFailure } from '../providers/provider-requests.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import type { CaptchaAction, CaptchaResult } from './captcha.ts';
import { openRecaptchaSecret, type ProjectRecaptcha } from './recaptcha-keys.ts';

const VERIFY_URL = new URL('https://www.google.com/recaptcha/api/siteverify');
/** Longest token, in UTF-16 code units. */
const MAX_TOKEN_LENGTH = 16_384;
/** Errors that mean that the secret is wrong, and not the token. */
const SECRET_ERRORS: readonly unknown[] = ['missing-input-secret', 'invalid-input-secret'];

/** `unavailable`: reCAPTCHA does not answer, or rejects the secret. */
export type RecaptchaResult = CaptchaResult | 'unavailable';

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
  const secret = openRecaptchaSecret(services.secretBox, key);
  try {
    const { network } = call.client;
    const send = services.providers.requests.sendFor({ network, projectId: call.project.id });
    const answer = await fetchAnswer(send, VERIFY_URL, { secret: secret.reveal(), response: token });
    const errors = answer['error-codes'];
    if (Array.isArray(errors) && errors.some((error) => SECRET_ERRORS.includes(error)))
      throw new ProviderFailure('reCAPTCHA rejects the secret.');
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
