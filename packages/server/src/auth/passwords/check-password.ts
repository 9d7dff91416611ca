import { readFileSync } from 'node:fs';
import { AuthApiError } from '../errors.ts';
import type { Project } from '../projects/project.ts';
import { isPasswordTooLong, MAX_PASSWORD_BYTES, type PasswordPolicy } from './policy.ts';

/**
 * The list of common passwords: a comment, then one password in lower case per line, sorted. Does not list
 * passwords that only add an ending to another one: see `isCommonPassword`.
 */
export const COMMON_PASSWORDS_FILE = new URL('./common-passwords.txt', import.meta.url);

const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  readFileSync(COMMON_PASSWORDS_FILE, 'utf8').split('\n').slice(1, -1),
);

/**
 * Maximum length of an ending that users add when a digit or a symbol is required, and minimum length of the text
 * before it.
 */
const LONGEST_ENDING = 4;
const SHORTEST_STEM = 3;

/**
 * Returns whether a password is an entry of the list or of `words`, which are in lower case, alone or followed by up to
 * four digits or exclamation marks. Ignores case.
 */
export function isCommonPassword(password: string, words: readonly string[] = []): boolean {
  const text = password.toLowerCase();
  const isKnown = (stem: string): boolean => COMMON_PASSWORDS.has(stem) || words.includes(stem);
  if (isKnown(text)) return true;
  for (let stem = text.length - 1; stem >= SHORTEST_STEM && text.length - stem <= LONGEST_ENDING; stem--) {
    if (!/[0-9!]/.test(text.charAt(stem))) return false;
    if (isKnown(text.slice(0, stem))) return true;
  }
  return false;
}

/** The characters that count as non-alphanumeric. Clients receive the same list. */
export const NON_ALPHANUMERIC = [...'^$*.[]{}()?"!@#%&/\\,><\':;|_~'];

/** A requirement that a password does not meet. */
export type PasswordProblem =
  | { readonly kind: 'too-short'; readonly minLength: number }
  | { readonly kind: 'too-long'; readonly maxLength: number }
  | { readonly kind: 'too-many-bytes' }
  | { readonly kind: 'no-lowercase' }
  | { readonly kind: 'no-uppercase' }
  | { readonly kind: 'no-numeric' }
  | { readonly kind: 'no-non-alphanumeric' }
  | { readonly kind: 'common' };

/**
 * Returns all problems of a password under a policy. Lengths are in UTF-16 code units, as clients count.
 * `words`, in lower case, are treated as common passwords.
 */
export function checkPassword(
  policy: PasswordPolicy,
  password: string,
  words: readonly string[] = [],
): readonly PasswordProblem[] {
  return [
    ...checkLength(policy, password),
    ...(policy.isEnforced ? checkCharacters(policy, password) : []),
    ...(policy.rejectsCommon && isCommonPassword(password, words) ? [{ kind: 'common' } as const] : []),
  ];
}

/** Returns whether a user who signs in with this password must first choose a better one. */
export function isUpgradeForced(policy: PasswordPolicy, password: string): boolean {
  return policy.isEnforced && policy.forcesUpgrade && checkPassword(policy, password).length > 0;
}

function checkLength(policy: PasswordPolicy, password: string): readonly PasswordProblem[] {
  const minLength = policy.isEnforced ? policy.minLength : policy.baseLength;
  if (password.length < minLength) return [{ kind: 'too-short', minLength }];
  if (policy.isEnforced && password.length > policy.maxLength)
    return [{ kind: 'too-long', maxLength: policy.maxLength }];
  return isPasswordTooLong(password) ? [{ kind: 'too-many-bytes' }] : [];
}

function* checkCharacters(policy: PasswordPolicy, password: string): Generator<PasswordProblem> {
  if (policy.needsLowercase && !/[a-z]/.test(password)) yield { kind: 'no-lowercase' };
  if (policy.needsUppercase && !/[A-Z]/.test(password)) yield { kind: 'no-uppercase' };
  if (policy.needsNumeric && !/[0-9]/.test(password)) yield { kind: 'no-numeric' };
  if (policy.needsNonAlphanumeric && !NON_ALPHANUMERIC.some((character) => password.includes(character))) {
    yield { kind: 'no-non-alphanumeric' };
  }
}

/** The error that a client receives for a password that is not accepted. */
export interface PasswordRejection {
  readonly code: 'WEAK_PASSWORD' | 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS';
  /** Text for the user. */
  readonly detail: string;
}

/**
 * Returns the error for a password with problems, or `undefined` if there are none. Under an enforced policy, or if
 * the password has too many bytes, the error lists all problems; clients then fetch the policy.
 */
export function findPasswordProblem(
  policy: PasswordPolicy,
  problems: readonly PasswordProblem[],
): PasswordRejection | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  if (policy.isEnforced || first.kind === 'too-many-bytes') {
    const list = problems.map((problem) => `Password ${describe(problem)}`).join(', ');
    return {
      code: 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
      detail: `Missing password requirements: [${list}]`,
    };
  }
  return {
    code: 'WEAK_PASSWORD',
    detail:
      first.kind === 'too-short'
        ? `Password should be at least ${first.minLength} characters`
        : `Password ${describe(first)}`,
  };
}

function describe(problem: PasswordProblem): string {
  switch (problem.kind) {
    case 'too-short':
      return `must contain at least ${problem.minLength} characters`;
    case 'too-long':
      return `must contain at most ${problem.maxLength} characters`;
    case 'too-many-bytes':
      return `must have at most ${MAX_PASSWORD_BYTES} bytes`;
    case 'no-lowercase':
      return 'must contain a lower case character';
    case 'no-uppercase':
      return 'must contain an upper case character';
    case 'no-numeric':
      return 'must contain a numeric character';
    case 'no-non-alphanumeric':
      return 'must contain a non-alphanumeric character';
    case 'common':
      return 'must not be a common password';
    default:
      return problem satisfies never;
  }
}

/** Minimum length of the words that `wordsOf` returns. */
const MIN_WORD_LENGTH = 4;

/**
 * Throws `WEAK_PASSWORD` or `PASSWORD_DOES_NOT_MEET_REQUIREMENTS` if a password violates the project's policy.
 * `email` is the address of the account, if known.
 */
export function requireAcceptable(password: string, project: Project, email: string | null = null): void {
  const { passwordPolicy } = project.settings;
  const problems = checkPassword(passwordPolicy, password, wordsOf(project, email));
  const requestError = findPasswordProblem(passwordPolicy, problems);
  if (requestError !== undefined) throw new AuthApiError(requestError.code, requestError.detail);
}

/**
 * Returns the words that an attacker would guess first: the names of the project, the app and the address,
 * whole and in parts.
 */
function wordsOf({ id, settings }: Project, email: string | null): readonly string[] {
  const texts = [id, settings.mail.appName ?? '', email ?? ''].map((text) => text.toLowerCase());
  const parts = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  return [...texts, ...parts].filter((word) => word.length >= MIN_WORD_LENGTH);
}
