import { Secret } from '../../platform/secret-box.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { type ConfigContext, type ConfigMember, invalidConfig } from '../projects/config-fields.ts';
import { type ProjectRecaptcha, type RecaptchaKey, sealRecaptchaSecret } from './recaptcha-keys.ts';

const PATH = 'recaptchaConfig.hearth.recaptcha';
const DEFAULT_MIN_SCORE = 0.5;
const SITE_KEY = /^[\w-]{1,200}$/;
const MAX_SECRET_LENGTH = 1_000;
const MEMBERS = ['siteKey', 'secret', 'verifierSiteKey', 'verifierSecret', 'minScore'];

/** The keys of a project at reCAPTCHA. An empty object removes them. Their secrets are never returned. */
export const RECAPTCHA_MEMBER: ConfigMember = {
  path: PATH,
  encode: ({ captcha: { recaptcha } }) => (recaptcha === undefined ? undefined : encode(recaptcha)),
  unencoded: ({ captcha: { recaptcha } }) => [
    recaptcha?.score.sealedSecret,
    recaptcha?.verifier?.sealedSecret,
  ],
  apply: (settings, value, path, context) => {
    const { recaptcha: _before, ...others } = settings.captcha;
    const recaptcha = decode(value, path, context);
    return { ...settings, captcha: { ...others, ...(recaptcha === undefined ? {} : { recaptcha }) } };
  },
};

function encode({ score, verifier, minScore }: ProjectRecaptcha): JsonObject {
  return {
    siteKey: score.siteKey,
    ...(verifier === null ? {} : { verifierSiteKey: verifier.siteKey }),
    minScore,
  };
}

function decode(value: unknown, path: string, context: ConfigContext): ProjectRecaptcha | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw invalidConfig(path, 'an object');
  const names = Object.keys(value);
  if (names.length === 0) return undefined;
  if (!names.every((name) => MEMBERS.includes(name)))
    throw invalidConfig(path, `an object with ${MEMBERS.join(', ')}`);
  const { siteKey, secret, verifierSiteKey, verifierSecret, minScore = DEFAULT_MIN_SCORE } = value;
  if (typeof minScore !== 'number' || !(minScore >= 0 && minScore <= 1))
    throw invalidConfig(`${path}.minScore`, 'a number from 0 to 1');
  const score = decodeKey({ siteKey, secret }, `${path}.siteKey`, `${path}.secret`, context);
  const verifier =
    verifierSiteKey === undefined || verifierSiteKey === ''
      ? null
      : decodeKey(
          { siteKey: verifierSiteKey, secret: verifierSecret },
          `${path}.verifierSiteKey`,
          `${path}.verifierSecret`,
          context,
        );
  return { score, verifier, minScore };
}

/** Decodes a key. Without a secret, the stored secret of the same key stays. */
function decodeKey(
  { siteKey, secret }: { readonly siteKey: unknown; readonly secret: unknown },
  path: string,
  secretPath: string,
  { before, secretBox }: ConfigContext,
): RecaptchaKey {
  if (typeof siteKey !== 'string' || !SITE_KEY.test(siteKey))
    throw invalidConfig(path, 'the site key of reCAPTCHA');
  const { recaptcha } = before.captcha;
  const stored = [recaptcha?.score, recaptcha?.verifier].find((key) => key?.siteKey === siteKey);
  if (secret === undefined || secret === '') {
    if (stored === undefined || stored === null) throw invalidConfig(secretPath, 'given for a new key');
    return stored;
  }
  if (typeof secret !== 'string' || secret.length > MAX_SECRET_LENGTH)
    throw invalidConfig(secretPath, `a text of 1 to ${MAX_SECRET_LENGTH} characters`);
  return { siteKey, sealedSecret: sealRecaptchaSecret(secretBox, siteKey, new Secret(secret)) };
}
