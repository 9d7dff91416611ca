import { COMMON_PASSWORD_LIST } from './common-password-list.ts';

const COMMON_PASSWORDS: ReadonlySet<string> = new Set(COMMON_PASSWORD_LIST.trim().split(/\s+/));

/** What people add when they are asked for a digit or a sign. */
const LONGEST_ENDING = 4;
const SHORTEST_STEM = 3;

/**
 * Whether a password is on the list or one of some words, which are in lower case, or is such a one followed by up to four digits
 * or exclamation marks. Upper case does not matter.
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
