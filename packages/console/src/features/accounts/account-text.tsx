import { useTranslation } from 'react-i18next';
import type { Account } from '../../api/accounts.ts';
import { showControls, UntrustedText } from '../../ui/text.tsx';

/** Returns the email address, phone number or display name of an account; `undefined` if it has none of them. */
export function findAccountName({ email, phoneNumber, displayName }: Account): string | undefined {
  return [email, phoneNumber, displayName].find((name) => name !== undefined && name !== '');
}

/** Like `findAccountName`, but falls back to the user ID. */
export function accountName(account: Account): string {
  return findAccountName(account) ?? account.localId;
}

/**
 * Returns the sign-in methods of an account: providers such as `password` and `google.com`, and `custom` for custom tokens.
 * For an account without any, returns `email` if it has an email address, else `phone` if it has a phone number, else
 * `anonymous`.
 */
export function providersOf({
  providerUserInfo = [],
  customAuth = false,
  email,
  phoneNumber,
}: Account): readonly string[] {
  const ids = providerUserInfo.map(({ providerId }) => providerId);
  if (customAuth) ids.push('custom');
  if (ids.length > 0) return ids;
  if (email !== undefined) return ['email'];
  return [phoneNumber === undefined ? 'anonymous' : 'phone'];
}

/** Formats a date in the given language; empty for `undefined`. `ms` is milliseconds since 1970, as text. */
export function printDate(ms: string | undefined, language: string): string {
  return ms === undefined
    ? ''
    : new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(Number(ms));
}

/** Formats a date with the time. `ms` is milliseconds since 1970. */
export function printTime(ms: string | number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(Number(ms));
}

/** Providers with translated names. */
const NAMED = ['password', 'email', 'phone', 'anonymous', 'custom'] as const;

/** Names of companies, which are the same in all languages. Other providers are shown by their IDs. */
const COMPANIES: ReadonlyMap<string, string> = new Map([
  ['apple.com', 'Apple'],
  ['facebook.com', 'Facebook'],
  ['gc.apple.com', 'Game Center'],
  ['github.com', 'GitHub'],
  ['google.com', 'Google'],
  ['linkedin.com', 'LinkedIn'],
  ['microsoft.com', 'Microsoft'],
  ['playgames.google.com', 'Play Games'],
  ['twitter.com', 'X'],
  ['yahoo.com', 'Yahoo'],
]);

/** The sign-in methods by which a list can be filtered. Those of a project's own providers are chosen by the address. */
export const LISTED_PROVIDERS: readonly string[] = [
  'password',
  'phone',
  'passkey',
  'custom',
  'anonymous',
  ...COMPANIES.keys(),
];

/** Returns a function that prints the name of a sign-in method by which a list is filtered. */
export function useProviderName(): (id: string) => string {
  const { t } = useTranslation('accounts');
  return (id) => {
    if (id === 'password' || id === 'passkey') return t(`filter.providers.${id}`);
    if (id === 'phone' || id === 'anonymous' || id === 'custom') return t(`provider.${id}`);
    return COMPANIES.get(id) ?? showControls(id);
  };
}

interface ProviderNamesProps {
  /** As `providersOf` returns them. */
  readonly ids: readonly string[];
}

/** Shows the names of sign-in providers. */
export function ProviderNames({ ids }: ProviderNamesProps) {
  const { t } = useTranslation('accounts');
  const names = ids.map((id) => {
    const named = NAMED.find((known) => known === id);
    return named === undefined ? (COMPANIES.get(id) ?? id) : t(`provider.${named}`);
  });
  return <UntrustedText text={names.join(' · ')} />;
}

/**
 * Patterns that match the user agent of a browser and capture its version. The first match counts, because the user agents of
 * Edge and Opera also contain `Chrome/`.
 */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\bFxiOS\/(\d+)/, 'Firefox'],
  [/\b(?:Headless)?Chrome\/(\d+)/, 'Chrome'],
  [/\bCriOS\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* .*Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/**
 * Returns a short name of a device, such as `Firefox 140 · Linux`. Returns the user agent itself if the browser is unknown, and
 * `undefined` if the user agent is empty.
 */
export function deviceName(userAgent: string): string | undefined {
  if (userAgent === '') return undefined;
  const program = PROGRAMS.flatMap(([pattern, name]) => {
    const version = pattern.exec(userAgent)?.[1];
    return version === undefined ? [] : [`${name} ${version}`];
  })[0];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return program === undefined
    ? userAgent
    : [program, system].filter((part) => part !== undefined).join(' · ');
}
