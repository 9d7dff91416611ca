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
}

/** The countries to whose numbers the project sends messages, in two letters. */
export type SmsRegions =
  | { readonly kind: 'all-except'; readonly countries: readonly string[] }
  | { readonly kind: 'only'; readonly countries: readonly string[] };

/**
 * `REQUIRE`: clients get messages for a solved challenge, or if they have proven the first factor of an account. `THROTTLED`: all
 * clients get messages, but those without such a proof only within a tenth of the budgets.
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
};

/** The settings in development mode, where messages appear in the terminal. */
export const DEVELOPMENT_SMS: ProjectSms = {
  ...NEW_SMS,
  driver: { kind: 'log' },
  regions: { kind: 'all-except', countries: [] },
};

/** Whether the project sends messages to numbers of a country. */
export function isRegionAllowed({ kind, countries }: SmsRegions, country: string | null): boolean {
  if (kind === 'only') return country !== null && countries.includes(country);
  return country === null || !countries.includes(country);
}
