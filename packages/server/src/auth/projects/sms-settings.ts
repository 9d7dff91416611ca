import type { SmsLimits } from '../../sms/budgets.ts';
import type { SmsDriver } from '../../sms/driver.ts';
import type { SmsTemplates } from '../../sms/texts.ts';

/** The settings for a project's text messages. */
export interface ProjectSms {
  /** The service that sends the messages; `null` for none. */
  readonly driver: SmsDriver | null;
  readonly regions: SmsRegions;
  readonly templates: SmsTemplates;
  /** The proof that a client must give to get a message. */
  readonly appProof: SmsAppProof;
  /** Maximum number of messages of the project per day. */
  readonly perDay: number;
  /** The limits that the project sets instead of those of the server. */
  readonly limits: Partial<SmsLimits>;
  /** The limit on what the project spends on messages per day; `null` for no limit. */
  readonly spending: SmsSpending | null;
  /** Whether numbers of internet telephony get no messages. */
  readonly rejectsVoip: boolean;
  readonly factorUse: SmsFactorUse;
}

/**
 * When a phone is accepted as the second factor of an account: always, or only for recovery, if the account has used no other
 * factor for `RECOVERY_AFTER_MS`.
 */
export const SMS_FACTOR_USES = ['ALWAYS', 'RECOVERY'] as const;
export type SmsFactorUse = (typeof SMS_FACTOR_USES)[number];
export const RECOVERY_AFTER_MS = 30 * 86_400_000;

/** The key of the price for countries that have none of their own. */
export const DEFAULT_PRICE = 'default';

/** Prices and a limit in millionths of the currency of the SMS service. */
export interface SmsSpending {
  readonly perDayMicros: number;
  /** Prices of one message by country in two letters, and by `DEFAULT_PRICE`. */
  readonly pricesMicros: Readonly<Record<string, number>>;
}

/** Returns the price of a text in a country, if the text is divided into `segments` messages. */
export function costOf({ pricesMicros }: SmsSpending, country: string | null, segments: number): number {
  const known = country !== null && Object.hasOwn(pricesMicros, country) ? pricesMicros[country] : undefined;
  return (known ?? pricesMicros[DEFAULT_PRICE] ?? 0) * segments;
}

/** The countries to whose numbers the project sends messages, in two letters. */
export type SmsRegions =
  | { readonly kind: 'all-except'; readonly countries: readonly string[] }
  | { readonly kind: 'only'; readonly countries: readonly string[] };

/**
 * `REQUIRE`: clients get messages for a solved challenge, or if they have proven the first factor of an account.
 * `THROTTLED`: all clients get messages, but those without such a proof only within a tenth of the budgets.
 */
export const SMS_APP_PROOFS = ['REQUIRE', 'THROTTLED'] as const;
export type SmsAppProof = (typeof SMS_APP_PROOFS)[number];

/** The settings of a new project outside development mode: no country is allowed until an owner names it. */
export const NEW_SMS: ProjectSms = {
  driver: null,
  regions: { kind: 'only', countries: [] },
  templates: {},
  appProof: 'REQUIRE',
  perDay: 500,
  limits: {},
  spending: null,
  rejectsVoip: false,
  factorUse: 'ALWAYS',
};

/** The settings in development mode, where messages appear in the terminal. */
export const DEVELOPMENT_SMS: ProjectSms = {
  ...NEW_SMS,
  driver: { kind: 'log' },
  regions: { kind: 'all-except', countries: [] },
};

/** Returns whether the project sends messages to numbers of a country. */
export function isRegionAllowed({ kind, countries }: SmsRegions, country: string | null): boolean {
  if (kind === 'only') return country !== null && countries.includes(country);
  return country === null || !countries.includes(country);
}
