import { useTranslation } from 'react-i18next';
import type { Account } from '../../api/accounts.ts';
import { UntrustedText } from '../../ui/text.tsx';

/** What people know an account by: address, number or name; `undefined` for those who never said. */
export function findAccountName({ email, phoneNumber, displayName }: Account): string | undefined {
  return [email, phoneNumber, displayName].find((name) => name !== undefined && name !== '');
}

/** The same, or the user id. */
export function accountName(account: Account): string {
  return findAccountName(account) ?? account.localId;
}

/** Ways to sign in, such as `password` and `google.com`; `anonymous` for accounts without an address or number. */
export function providersOf({ providerUserInfo = [], email }: Account): readonly string[] {
  const ids = providerUserInfo.map(({ providerId }) => providerId);
  return ids.length === 0 && email === undefined ? ['anonymous'] : ids;
}

/** A day in the language of the page; empty for none. `ms` is milliseconds since 1970, as text. */
export function printDate(ms: string | undefined, language: string): string {
  return ms === undefined
    ? ''
    : new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(Number(ms));
}

/** A day and the time. */
export function printTime(ms: string | number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(Number(ms));
}

/** Ways to sign in that have a name in every language; others are called by their ids. */
const NAMED = ['password', 'phone', 'anonymous', 'custom'] as const;

interface ProviderNamesProps {
  /** Such as `password` and `google.com`. */
  readonly ids: readonly string[];
}

/** Ways to sign in, by name. */
export function ProviderNames({ ids }: ProviderNamesProps) {
  const { t } = useTranslation('accounts');
  const names = ids.map((id) => {
    const named = NAMED.find((known) => known === id);
    return named === undefined ? id : t(`provider.${named}`);
  });
  return <UntrustedText text={names.join(' · ')} />;
}

/** Programs as they call themselves, the more particular ones first. */
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

/** What a device is in a few words, such as `Firefox 140 · Linux`; its own words when they are unknown, `undefined` for none. */
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
