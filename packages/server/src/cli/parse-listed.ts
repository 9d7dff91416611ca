import { parseWhole } from '../ops/option.ts';

const MAX_NUMBER = 999_999_999_999_999;

/** Reads a number that a list has shown. `name` is what the command calls it. Throws a `StartFailure`. */
export function parseListed(text: string, name: string): number {
  return parseWhole(text, name, 1, MAX_NUMBER);
}
