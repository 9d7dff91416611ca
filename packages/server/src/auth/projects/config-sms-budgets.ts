import type { SmsLimits } from '../../sms/budgets.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { type ConfigMember, invalidConfig, rejectProblems, requireFlag } from './config-fields.ts';
import { DEFAULT_PRICE, type ProjectSms, type SmsSpending } from './sms-settings.ts';

const HEARTH = 'notification.sendSms.hearth';

/** The settings that a member of the configuration changes. */
type SmsChange = Partial<Pick<ProjectSms, 'perDay' | 'limits' | 'spending' | 'rejectsVoip'>>;

const MAX_MESSAGES = 1_000_000;
const MAX_PAUSE_SECONDS = 3_600;

/** The names of limits in the configuration, with their greatest values. */
const LIMITS: Readonly<Record<string, { readonly setting: keyof SmsLimits; readonly max: number }>> = {
  perCountryAndHour: { setting: 'perCountryAndHour', max: MAX_MESSAGES },
  perNumberAndHour: { setting: 'perNumberAndHour', max: MAX_MESSAGES },
  perNumberAndDay: { setting: 'perNumberAndDay', max: MAX_MESSAGES },
  perAddressAndHour: { setting: 'perAddressAndHour', max: MAX_MESSAGES },
  perAccountAndDay: { setting: 'perAccountAndDay', max: MAX_MESSAGES },
  pauseSeconds: { setting: 'pauseMs', max: MAX_PAUSE_SECONDS },
};
const SECOND_MS = 1_000;

function encodeLimits(limits: ProjectSms['limits']): JsonObject | undefined {
  const entries = Object.entries(LIMITS).flatMap(([name, { setting }]) => {
    const value = limits[setting];
    return value === undefined ? [] : [[name, setting === 'pauseMs' ? value / SECOND_MS : value] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function decodeLimits(value: unknown, path: string): ProjectSms['limits'] {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw invalidConfig(path, 'an object');
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(LIMITS, name));
  rejectProblems(
    path,
    unknown.map((name) => `${name} is not a limit. Use ${Object.keys(LIMITS).join(', ')}.`),
  );
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => {
      const { setting = name, max = MAX_MESSAGES } = LIMITS[name] ?? {};
      const limit = requireWhole(given, `${path}.${name}`, max);
      return [setting, setting === 'pauseMs' ? limit * SECOND_MS : limit];
    }),
  );
}

function requireWhole(value: unknown, path: string, max = MAX_MESSAGES): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max)
    throw invalidConfig(path, `a whole number from 0 to ${max}`);
  return value;
}

const MICROS = 1_000_000;
const MAX_AMOUNT = 1_000_000;
const MAX_PRICES = 300;

function encodeSpending(spending: SmsSpending | null): JsonObject | undefined {
  if (spending === null) return undefined;
  const prices = Object.entries(spending.pricesMicros).map(([country, micros]) => [country, micros / MICROS]);
  return { perDay: spending.perDayMicros / MICROS, prices: Object.fromEntries(prices) };
}

/** Decodes the limit of what a project spends; an empty object means none. */
function decodeSpending(value: unknown, path: string): SmsSpending | null {
  if (value === undefined) return null;
  if (!isJsonObject(value)) throw invalidConfig(path, 'an object');
  if (Object.keys(value).length === 0) return null;
  const { perDay, prices, ...others } = value;
  rejectProblems(
    path,
    Object.keys(others).map((name) => `${name} is not a setting. Use perDay and prices.`),
  );
  if (!isJsonObject(prices) || Object.keys(prices).length > MAX_PRICES || !(DEFAULT_PRICE in prices))
    throw invalidConfig(
      `${path}.prices`,
      `an object with the price of a message by country, and under "${DEFAULT_PRICE}" for all other countries`,
    );
  const unknown = Object.keys(prices).filter((name) => name !== DEFAULT_PRICE && !/^[A-Z]{2}$/.test(name));
  rejectProblems(
    `${path}.prices`,
    unknown.map((name) => `${name} is not a country in two capital letters, such as DE.`),
  );
  return {
    perDayMicros: requireMicros(perDay, `${path}.perDay`),
    pricesMicros: Object.fromEntries(
      Object.entries(prices).map(([country, price]) => [
        country,
        requireMicros(price, `${path}.prices.${country}`),
      ]),
    ),
  };
}

function requireMicros(value: unknown, path: string): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= MAX_AMOUNT))
    throw invalidConfig(path, `an amount from 0 to ${MAX_AMOUNT}`);
  return Math.round(value * MICROS);
}

function member(
  name: string,
  encode: (sms: ProjectSms) => unknown,
  decode: (value: unknown, path: string) => SmsChange,
): ConfigMember {
  return {
    path: `${HEARTH}.${name}`,
    encode: ({ sms }) => encode(sms),
    apply: (settings, value, path) => ({ ...settings, sms: { ...settings.sms, ...decode(value, path) } }),
  };
}

/** The members of the configuration that limit how many text messages a project sends, to which numbers, and at what cost. */
export const SMS_BUDGET_MEMBERS: readonly ConfigMember[] = [
  member(
    'perDay',
    ({ perDay }) => perDay,
    (value, path) => ({ perDay: requireWhole(value, path) }),
  ),
  member(
    'limits',
    ({ limits }) => encodeLimits(limits),
    (value, path) => ({ limits: decodeLimits(value, path) }),
  ),
  member(
    'spending',
    ({ spending }) => encodeSpending(spending),
    (value, path) => ({ spending: decodeSpending(value, path) }),
  ),
  member(
    'rejectsVoip',
    ({ rejectsVoip }) => (rejectsVoip ? true : undefined),
    (value, path) => ({ rejectsVoip: value !== undefined && requireFlag(value, path) }),
  ),
];
