import { COMMON_PASSWORD_LIST } from './common-password-list.ts';

const COMMON_PASSWORDS: ReadonlySet<string> = new Set(COMMON_PASSWORD_LIST.trim().split(/\s+/));

/** What people add when they are asked for a digit or a sign. */
const LONGEST_ENDING = 4;
const SHORTEST_STEM = 3;

/**
 * Whether a password is on the list, or is one of the list followed by up to four digits or exclamation marks. Upper case does
 * not matter.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  if (COMMON_PASSWORDS.has(text)) return true;
  for (let stem = text.length - 1; stem >= SHORTEST_STEM && text.length - stem <= LONGEST_ENDING; stem--) {
    if (!/[0-9!]/.test(text.charAt(stem))) return false;
    if (COMMON_PASSWORDS.has(text.slice(0, stem))) return true;
  }
  return false;
}
