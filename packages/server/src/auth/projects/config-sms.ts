import { isLanguage, LANGUAGES } from '../../mail/templates/language.ts';
import { Secret } from '../../platform/secret-box.ts';
import {
  type DriverTarget,
  hasSameTarget,
  type SmsDriver,
  sealSignatureSecret,
  sealSmsSecret,
} from '../../sms/driver.ts';
import { checkSmsTemplate, type SmsTemplates } from '../../sms/texts.ts';
import { parsePhoneNumber } from '../accounts/field-parsers.ts';
import { AuthApiError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import {
  type ConfigContext,
  type ConfigMember,
  invalidConfig,
  rejectProblems,
  requireFlag,
  requireOneOf,
  requirePageUrl,
} from './config-fields.ts';
import { SMS_BUDGET_MEMBERS } from './config-sms-budgets.ts';
import type { ProjectSettings } from './project.ts';
import { type ProjectSms, SMS_APP_PROOFS, SMS_FACTOR_USES, type SmsRegions } from './sms-settings.ts';

export const SMS_REGIONS = 'smsRegionConfig';
/** The members of `smsRegionConfig`, of which a configuration has at most one. */
export const SMS_REGION_MEMBERS = ['allowByDefault', 'allowlistOnly'] as const;

/** Maximum number of fictional numbers of a project, as in the official service. */
const MAX_TEST_NUMBERS = 10;
const TEST_CODE = /^\d{6}$/;
const MAX_COUNTRIES = 300;
const MAX_SECRET_LENGTH = 1_000;
const HEARTH = 'notification.sendSms.hearth';

function encodeRegions({ kind, countries }: SmsRegions): JsonObject {
  if (kind === 'only') return { allowlistOnly: { allowedRegions: countries } };
  return { allowByDefault: { disallowedRegions: countries } };
}

function decodeRegions(value: unknown, path: string): SmsRegions {
  if (!isJsonObject(value)) throw invalidConfig(path, 'an object');
  const { allowByDefault, allowlistOnly, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new AuthApiError('INVALID_CONFIG', `${path}.${unknown} is not a setting of this server.`);
  if (allowByDefault !== undefined && allowlistOnly !== undefined)
    throw new AuthApiError(
      'INVALID_CONFIG',
      `${path} can contain only one of ${SMS_REGION_MEMBERS.join(' and ')}.`,
    );
  return allowByDefault === undefined
    ? { kind: 'only', countries: requireCountries(allowlistOnly, 'allowedRegions', path) }
    : { kind: 'all-except', countries: requireCountries(allowByDefault, 'disallowedRegions', path) };
}

function requireCountries(arm: unknown, name: string, path: string): readonly string[] {
  const expected = `an object with a list "${name}" of countries in two capital letters, such as "DE"`;
  const countries: unknown = isJsonObject(arm) ? (arm[name] ?? []) : arm === undefined ? [] : arm;
  if (!Array.isArray(countries) || countries.length > MAX_COUNTRIES) throw invalidConfig(path, expected);
  if (!countries.every((country) => typeof country === 'string' && /^[A-Z]{2}$/.test(country)))
    throw invalidConfig(path, expected);
  return [...new Set<string>(countries)];
}

/** Throws `INVALID_TESTING_PHONE_NUMBER` for a wrong number or code, or for too many. */
function decodeTestNumbers(value: unknown, path: string): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) throw invalidConfig(path, 'an object');
  const entries = Object.entries(value);
  if (entries.length > MAX_TEST_NUMBERS)
    throw new AuthApiError('INVALID_TESTING_PHONE_NUMBER', `Use at most ${MAX_TEST_NUMBERS} numbers.`);
  return Object.fromEntries(
    entries.map(([number, code]) => {
      if (typeof code !== 'string' || !TEST_CODE.test(code))
        throw new AuthApiError('INVALID_TESTING_PHONE_NUMBER', 'The code of a number has six digits.');
      return [parsePhoneNumber(number, 'INVALID_TESTING_PHONE_NUMBER'), code];
    }),
  );
}

/** Encodes the driver without its secret. */
function encodeDriver(driver: SmsDriver | null): JsonObject | undefined {
  switch (driver?.kind) {
    case undefined:
      return undefined;
    case 'log':
      return { type: 'LOG' };
    case 'twilio': {
      const { accountSid, apiKeySid, from } = driver;
      return { type: 'TWILIO', accountSid, ...(apiKeySid === null ? {} : { apiKeySid }), from };
    }
    case 'vonage':
      return {
        type: 'VONAGE',
        apiKey: driver.apiKey,
        from: driver.from,
        ...(driver.sealedSignatureSecret === undefined ? {} : { hasSignatureSecret: true }),
      };
    case 'webhook':
      return { type: 'WEBHOOK', url: driver.url, sendsCode: driver.sendsCode };
    default:
      return driver satisfies never;
  }
}

/**
 * Decodes the driver; an empty object means none. Without a `secret`, the stored secret stays, provided that service and
 * account are the same.
 */
function decodeDriver(
  value: unknown,
  path: string,
  { before, secretBox, isDevelopment }: ConfigContext,
): SmsDriver | null {
  if (value === undefined) return null;
  if (!isJsonObject(value)) throw invalidConfig(path, 'an object');
  if (Object.keys(value).length === 0) return null;
  const { type, secret, signatureSecret, hasSignatureSecret: _shown, ...members } = value;
  const kind = requireOneOf(type, `${path}.type`, ['LOG', 'TWILIO', 'VONAGE', 'WEBHOOK']);
  if (kind === 'LOG') {
    if (!isDevelopment)
      throw invalidConfig(`${path}.type`, 'TWILIO, VONAGE or WEBHOOK: LOG is for development');
    return { kind: 'log' };
  }
  const open = decodeOpenDriver(kind, members, path);
  const stored = before.sms.driver;
  const isKnown = stored !== null && stored.kind !== 'log' && hasSameTarget(stored, open);
  const signature = decodeSignature(signatureSecret, `${path}.signatureSecret`, {
    open,
    secretBox,
    stored: isKnown ? stored : null,
  });
  if (secret === undefined || secret === '') {
    if (isKnown) return { ...open, ...signature, sealedSecret: stored.sealedSecret };
    throw invalidConfig(`${path}.secret`, 'given for a new service or account');
  }
  return {
    ...open,
    ...signature,
    sealedSecret: sealSmsSecret(secretBox, open, requireSecret(secret, `${path}.secret`)),
  };
}

function requireSecret(value: unknown, path: string): Secret {
  if (typeof value !== 'string' || value === '' || value.length > MAX_SECRET_LENGTH)
    throw invalidConfig(path, `a text of 1 to ${MAX_SECRET_LENGTH} characters`);
  return new Secret(value);
}

/**
 * Returns the secret with which Vonage signs receipts: the given one, or else the stored one of the same account. An empty
 * text removes it.
 */
function decodeSignature(
  value: unknown,
  path: string,
  {
    open,
    secretBox,
    stored,
  }: { open: Open<Remote>; secretBox: ConfigContext['secretBox']; stored: SmsDriver | null },
): { readonly sealedSignatureSecret?: string } {
  if (value === undefined) {
    const kept = stored?.kind === 'vonage' ? stored.sealedSignatureSecret : undefined;
    return kept === undefined ? {} : { sealedSignatureSecret: kept };
  }
  if (open.kind !== 'vonage') throw invalidConfig(path, 'left out: only Vonage signs receipts with it');
  if (value === '') return {};
  return { sealedSignatureSecret: sealSignatureSecret(secretBox, open, requireSecret(value, path)) };
}

type Remote = Exclude<SmsDriver, { readonly kind: 'log' }>;
type Open<Driver> = Driver extends DriverTarget & { readonly sealedSecret: string }
  ? Omit<Driver, 'sealedSecret' | 'sealedSignatureSecret'>
  : never;

function decodeOpenDriver(
  kind: 'TWILIO' | 'VONAGE' | 'WEBHOOK',
  members: JsonObject,
  path: string,
): Open<Remote> {
  switch (kind) {
    case 'TWILIO': {
      const { accountSid, apiKeySid, from } = requireMembers(members, path, [
        'accountSid',
        'apiKeySid',
        'from',
      ]);
      return {
        kind: 'twilio',
        accountSid: requireName(accountSid, `${path}.accountSid`),
        apiKeySid:
          apiKeySid === undefined || apiKeySid === '' ? null : requireName(apiKeySid, `${path}.apiKeySid`),
        from: requireName(from, `${path}.from`),
      };
    }
    case 'VONAGE': {
      const { apiKey, from } = requireMembers(members, path, ['apiKey', 'from']);
      return {
        kind: 'vonage',
        apiKey: requireName(apiKey, `${path}.apiKey`),
        from: requireName(from, `${path}.from`),
      };
    }
    case 'WEBHOOK': {
      const { url, sendsCode = false } = requireMembers(members, path, ['url', 'sendsCode']);
      const page = requirePageUrl(url, `${path}.url`);
      if (page === null) throw invalidConfig(`${path}.url`, 'an https address');
      return { kind: 'webhook', url: page, sendsCode: requireFlag(sendsCode, `${path}.sendsCode`) };
    }
    default:
      return kind satisfies never;
  }
}

function requireMembers(members: JsonObject, path: string, known: readonly string[]): JsonObject {
  const unknown = Object.keys(members).filter((name) => !known.includes(name));
  rejectProblems(
    path,
    unknown.map((name) => `${name} is not a setting of this driver. Use ${known.join(', ')} and secret.`),
  );
  return members;
}

function requireName(value: unknown, path: string): string {
  if (typeof value !== 'string' || !/^[\w +.-]{1,100}$/.test(value))
    throw invalidConfig(path, 'a text of 1 to 100 letters, digits, spaces, dots, plus signs and hyphens');
  return value;
}

function decodeTemplates(value: unknown, path: string): SmsTemplates {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw invalidConfig(path, 'an object with texts by language');
  rejectProblems(
    path,
    Object.entries(value).flatMap(([language, text]) =>
      isLanguage(language)
        ? checkSmsTemplate(text).map((problem) => `${language}: ${problem}`)
        : [`${language} is unknown. Use one of ${LANGUAGES.join(', ')}.`],
    ),
  );
  return value;
}

/**
 * The members of the configuration for phones and text messages. `hearth` holds members that the official
 * configuration does not have.
 */
export const SMS_MEMBERS: readonly ConfigMember[] = [
  {
    path: 'signIn.phoneNumber.enabled',
    encode: ({ signIn }) => signIn.isPhoneEnabled,
    apply: (settings, value, path) => ({
      ...settings,
      signIn: { ...settings.signIn, isPhoneEnabled: requireFlag(value, path) },
    }),
  },
  {
    path: 'signIn.phoneNumber.testPhoneNumbers',
    encode: ({ signIn }) => signIn.testPhoneNumbers,
    apply: (settings, value, path) => ({
      ...settings,
      signIn: { ...settings.signIn, testPhoneNumbers: decodeTestNumbers(value, path) },
    }),
  },
  {
    path: SMS_REGIONS,
    encode: ({ sms }) => encodeRegions(sms.regions),
    apply: (settings, value, path) => withSms(settings, { regions: decodeRegions(value, path) }),
  },
  {
    path: `${HEARTH}.driver`,
    encode: ({ sms }) => encodeDriver(sms.driver),
    unencoded: ({ sms }) =>
      sms.driver === null || sms.driver.kind === 'log'
        ? null
        : [sms.driver.sealedSecret, sms.driver.kind === 'vonage' ? sms.driver.sealedSignatureSecret : null],
    apply: (settings, value, path, context) =>
      withSms(settings, { driver: decodeDriver(value, path, context) }),
  },
  {
    path: `${HEARTH}.templates`,
    encode: ({ sms: { templates } }) => (Object.keys(templates).length === 0 ? undefined : templates),
    apply: (settings, value, path) => withSms(settings, { templates: decodeTemplates(value, path) }),
  },
  {
    path: `${HEARTH}.appProof`,
    encode: ({ sms }) => sms.appProof,
    apply: (settings, value, path) =>
      withSms(settings, { appProof: requireOneOf(value, path, SMS_APP_PROOFS) }),
  },
  {
    path: `${HEARTH}.factorUse`,
    encode: ({ sms: { factorUse } }) => (factorUse === 'ALWAYS' ? undefined : factorUse),
    apply: (settings, value, path) =>
      withSms(settings, {
        factorUse: value === undefined ? 'ALWAYS' : requireOneOf(value, path, SMS_FACTOR_USES),
      }),
  },
  ...SMS_BUDGET_MEMBERS,
];

function withSms(settings: ProjectSettings, change: Partial<ProjectSms>): ProjectSettings {
  return { ...settings, sms: { ...settings.sms, ...change } };
}
