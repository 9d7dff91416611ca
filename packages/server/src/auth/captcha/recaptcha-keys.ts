import { Secret, type SecretBox } from '../../platform/secret-box.ts';

/** A key of a project at reCAPTCHA, with its secret sealed by `sealRecaptchaSecret`. */
export interface RecaptchaKey {
  readonly siteKey: string;
  readonly sealedSecret: string;
}

/** The keys with which a project uses reCAPTCHA in place of the server's own challenges. */
export interface ProjectRecaptcha {
  /** For the current verifier of the SDK. Its tokens have an action and a score. */
  readonly score: RecaptchaKey;
  /** For `RecaptchaVerifier` of the SDK; `null` for none. */
  readonly verifier: RecaptchaKey | null;
  /** The lowest accepted score, from 0 to 1. */
  readonly minScore: number;
}

/** Seals the secret of a key, so that an administrator cannot use it with another key. */
export function sealRecaptchaSecret(box: SecretBox, siteKey: string, secret: Secret): string {
  return box.seal(secret.reveal(), contextOf(siteKey));
}

function contextOf(siteKey: string): string {
  return `recaptcha/${siteKey}`;
}

/** Decrypts the secret of a key. */
export function openRecaptchaSecret(box: SecretBox, { siteKey, sealedSecret }: RecaptchaKey): Secret {
  return new Secret(box.open(sealedSecret, contextOf(siteKey)).toString());
}
