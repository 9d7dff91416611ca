import { domainToASCII } from 'node:url';
import { isLoopback } from '../../ops/is-loopback.ts';
import { IdentityError } from '../identity-error.ts';

const MAX_DOMAINS = 500;
const MAX_URL_LENGTH = 2_048;
const LOCALE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i;

export function invalidConfig(path: string, expected: string): IdentityError {
  return new IdentityError('INVALID_CONFIG', `${path} must be ${expected}.`);
}

/** Refuses with every problem, each a sentence about something at `path`. */
export function refuseProblems(path: string, problems: readonly string[]): void {
  if (problems.length > 0) throw invalidProblems(path, problems);
}

/** A refusal with several problems, each a sentence about something at `path`. */
export function invalidProblems(path: string, problems: readonly string[]): IdentityError {
  return new IdentityError('INVALID_CONFIG', problems.map((problem) => `${path}: ${problem}`).join(' '));
}

export function mustBeFlag(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw invalidConfig(path, 'true or false');
  return value;
}

export function mustBeOneOf<T extends string>(value: unknown, path: string, words: readonly T[]): T {
  const word = words.find((known) => known === value);
  if (word === undefined) throw invalidConfig(path, `one of ${words.join(', ')}`);
  return word;
}

/** Hosts and addresses without scheme and port, as name servers know them; `*.` stands for what is below a host. */
export function mustBeDomains(value: unknown, path: string): readonly string[] {
  const expected = `a list of at most ${MAX_DOMAINS} hosts or addresses, without scheme and port`;
  if (!Array.isArray(value) || value.length > MAX_DOMAINS) throw invalidConfig(path, expected);
  return value.map((item) => {
    if (typeof item !== 'string') throw invalidConfig(path, expected);
    const [, wildcard = '', host = ''] = /^(\*\.)?(.*)$/s.exec(item.toLowerCase()) ?? [];
    const bare = host.replace(/^\[|\]$/g, '');
    const isAddress = /^[0-9a-f:.]+$/.test(bare) && URL.canParse(`http://[${bare}]`);
    const ascii = isAddress ? bare : domainToASCII(host);
    if (ascii === '' || (!isAddress && !/^[a-z0-9.-]+$/.test(ascii))) throw invalidConfig(path, expected);
    return wildcard + ascii;
  });
}

export function mustBeLocale(value: unknown, path: string): string {
  if (typeof value !== 'string' || !LOCALE.test(value)) throw invalidConfig(path, 'a language such as "en"');
  return value;
}

/** An address of a page, over TLS unless it is on the same machine; `null` for an empty text. */
export function mustBePageUrl(value: unknown, path: string): string | null {
  if (value === '') return null;
  const isPage = typeof value === 'string' && value.length <= MAX_URL_LENGTH && isSafePage(URL.parse(value));
  if (!isPage) throw invalidConfig(path, 'an https address, or an http address of this machine');
  return value;
}

/** Others on the way could read the codes that pages get. */
function isSafePage(url: URL | null): boolean {
  if (url?.protocol === 'http:') return isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  return url?.protocol === 'https:';
}
