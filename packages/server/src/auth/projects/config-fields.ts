import { domainToASCII } from 'node:url';
import { isLoopback } from '../../platform/network-address.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { AuthApiError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import type { ProjectSettings } from './project.ts';

const MAX_DOMAINS = 500;
const MAX_URL_LENGTH = 2_048;
const LOCALE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i;

export function invalidConfig(path: string, expected: string): AuthApiError {
  return new AuthApiError('INVALID_CONFIG', `${path} must be ${expected}.`);
}

/**
 * Throws `INVALID_CONFIG` with all problems, if there are any. Each problem is a sentence about the value at `path`.
 */
export function rejectProblems(path: string, problems: readonly string[]): void {
  if (problems.length > 0) throw invalidProblems(path, problems);
}

/** Creates an error for several problems. Each problem is a sentence about the value at `path`. */
export function invalidProblems(path: string, problems: readonly string[]): AuthApiError {
  return new AuthApiError('INVALID_CONFIG', problems.map((problem) => `${path}: ${problem}`).join(' '));
}

export function requireFlag(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw invalidConfig(path, 'true or false');
  return value;
}

export function requireOneOf<T extends string>(value: unknown, path: string, words: readonly T[]): T {
  const word = words.find((known) => known === value);
  if (word === undefined) throw invalidConfig(path, `one of ${words.join(', ')}`);
  return word;
}

/**
 * Returns a list of hosts and IP addresses without scheme and port, with hosts in ASCII as DNS uses them. `*.` before a
 * host means its subdomains. Throws `INVALID_CONFIG` for other values.
 */
export function requireDomains(value: unknown, path: string): readonly string[] {
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

export function requireLocale(value: unknown, path: string): string {
  if (typeof value !== 'string' || !LOCALE.test(value)) throw invalidConfig(path, 'a language such as "en"');
  return value;
}

/** Returns the URL of a page, which must use TLS unless it is on the same machine, or `null` for an empty text. */
export function requirePageUrl(value: unknown, path: string): string | null {
  if (value === '') return null;
  const isPage = typeof value === 'string' && value.length <= MAX_URL_LENGTH && isSafePage(URL.parse(value));
  if (!isPage) throw invalidConfig(path, 'an https address, or an http address of this machine');
  return value;
}

/** Returns whether a page may receive codes. Without TLS, codes could be read in transit to another machine. */
function isSafePage(url: URL | null): boolean {
  if (url?.protocol === 'http:') return isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  return url?.protocol === 'https:';
}

/** Names of nested members, from the outermost to the innermost. */
export type JsonPath = readonly string[];

/** Returns the value at a path, or `undefined` if there is no value. */
export function findAt(json: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((at, name) => (isJsonObject(at) ? (at[name] ?? undefined) : undefined), json);
}

/**
 * Returns the object with another value at a path; `undefined` removes the member. Creates missing objects on
 * the path.
 */
export function withAt(json: JsonObject, [name, ...rest]: JsonPath, value: unknown): JsonObject {
  if (name === undefined) throw new Error('Bug: a path without a name.');
  const inner = json[name];
  const next = rest.length === 0 ? value : withAt(isJsonObject(inner) ? inner : {}, rest, value);
  const { [name]: _before, ...others } = json;
  return next === undefined ? others : { ...others, [name]: next };
}

/** Returns the paths of all values that are not objects, and of all empty objects. */
export function leafPaths(json: JsonObject): readonly JsonPath[] {
  return Object.entries(json).flatMap(([name, value]) =>
    isJsonObject(value) && Object.keys(value).length > 0
      ? leafPaths(value).map((path) => [name, ...path])
      : [[name]],
  );
}

/** Returns whether `path` equals `above` or lies below it. */
export function isWithin(path: JsonPath, above: JsonPath): boolean {
  return above.every((name, index) => path[index] === name);
}

/** The arguments of `ConfigMember.apply` in addition to the value. */
export interface ConfigContext {
  /** The settings before the change. */
  readonly before: ProjectSettings;
  /** Seals values that are never returned to clients. */
  readonly secretBox: SecretBox;
  readonly isDevelopment: boolean;
  readonly nowMs: number;
}

/** A member of a project's configuration in the API, and how it maps to a setting. */
export interface ConfigMember {
  /** Names of nested members, separated by dots. */
  readonly path: string;
  /** Returns the value of the member, or `undefined` if the configuration does not contain it. */
  readonly encode: (settings: ProjectSettings) => unknown;
  /** Returns the part of the setting that `encode` leaves out, so that its changes are still detected. */
  readonly unencoded?: (settings: ProjectSettings) => unknown;
  /**
   * Returns the settings with the given value of the member, or without it for `undefined`. Throws an
   * `AuthApiError`.
   */
  readonly apply: (
    settings: ProjectSettings,
    value: unknown,
    path: string,
    context: ConfigContext,
  ) => ProjectSettings;
}
