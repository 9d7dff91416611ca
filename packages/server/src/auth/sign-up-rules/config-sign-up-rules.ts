import { MAX_CUSTOM_CLAIMS_LENGTH, RESERVED_CLAIMS } from '@hearth/core/api/custom-claims.ts';
import { NO_SIGN_UP_RULES, type SignUpRules } from '@hearth/core/api/sign-up-rules.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { type ConfigMember, invalidConfig } from '../projects/config-fields.ts';

const PATH = 'hearth.signUp';
const MAX_DOMAINS = 1_000;
const MAX_PROVIDERS = 100;
const MAX_CLAIM_DOMAINS = 100;
const MEMBERS = Object.keys(NO_SIGN_UP_RULES);
const DOMAIN = /^(?=.{3,253}$)[^\s@.,:/]+(?:\.[^\s@.,:/]+)+$/;
const PROVIDER = /^[a-z][\w.-]{0,127}$/;

/** The rules for new accounts, which the official configuration does not have. */
export const SIGN_UP_MEMBER: ConfigMember = {
  path: PATH,
  encode: ({ signUpRules }) => encode(signUpRules),
  apply: (settings, value, path) => ({ ...settings, signUpRules: decode(value, path) }),
};

/** Returns the members that are set; `undefined` for none. */
function encode(rules: SignUpRules): JsonObject | undefined {
  const set = Object.entries(rules).filter(([, value]) => Object.keys(value).length > 0);
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

function decode(value: unknown, path: string): SignUpRules {
  if (value === undefined) return NO_SIGN_UP_RULES;
  if (!isJsonObject(value) || !Object.keys(value).every((name) => MEMBERS.includes(name)))
    throw invalidConfig(path, `an object with ${MEMBERS.join(', ')}`);
  const { allowedDomains = [], deniedDomains = [], providers = [], claims = {} } = value;
  return {
    allowedDomains: requireDomains(allowedDomains, `${path}.allowedDomains`),
    deniedDomains: requireDomains(deniedDomains, `${path}.deniedDomains`),
    providers: requireTexts(
      providers,
      PROVIDER,
      MAX_PROVIDERS,
      `${path}.providers`,
      'providers, such as google.com',
    ),
    claims: requireClaims(claims, `${path}.claims`),
  };
}

function requireDomains(value: unknown, path: string): readonly string[] {
  return requireTexts(value, DOMAIN, MAX_DOMAINS, path, 'domains, such as example.com').map((domain) =>
    domain.toLowerCase(),
  );
}

function requireTexts(
  value: unknown,
  form: RegExp,
  most: number,
  path: string,
  what: string,
): readonly string[] {
  const isText = (text: unknown): text is string => typeof text === 'string' && form.test(text);
  if (!Array.isArray(value) || value.length > most || !value.every(isText))
    throw invalidConfig(path, `a list of at most ${most} ${what}`);
  return [...new Set(value)];
}

function requireClaims(value: unknown, path: string): SignUpRules['claims'] {
  if (!isJsonObject(value) || Object.keys(value).length > MAX_CLAIM_DOMAINS)
    throw invalidConfig(path, `an object with the claims of at most ${MAX_CLAIM_DOMAINS} domains`);
  return Object.fromEntries(
    Object.entries(value).map(([domain, claims]) => {
      const at = `${path}.${domain}`;
      if (!DOMAIN.test(domain)) throw invalidConfig(path, 'an object with domains such as example.com');
      if (!isJsonObject(claims) || JSON.stringify(claims).length > MAX_CUSTOM_CLAIMS_LENGTH)
        throw invalidConfig(at, `an object of at most ${MAX_CUSTOM_CLAIMS_LENGTH} characters`);
      const reserved = RESERVED_CLAIMS.find((name) => Object.hasOwn(claims, name));
      if (reserved !== undefined) throw invalidConfig(at, `an object without the reserved claim ${reserved}`);
      return [domain.toLowerCase(), claims];
    }),
  );
}
