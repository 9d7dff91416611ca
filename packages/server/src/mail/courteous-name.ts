import { singleLine } from './single-line.ts';

/** Longest name in characters. */
const MAX_LENGTH = 50;

/** Longest text that is looked at. */
const MAX_LOOKED_AT = 1_000;

const JOINERS = /[\u200c\u200d]/g;

/** What programs make links of: `a.bc`, with any of the full stops that browsers take for one, and anything with `://` or `@`. */
const LINK_LIKE = /:\/\/|@|^www\.|[\p{L}\p{N}][.\u3002\uff0e\uff61][\p{L}\p{N}]{2}/u;

/**
 * Somebody's name as a mail greets them: one short line without anything that a program would make a link of, because
 * who chose the name need not be who gets the mail. Nothing if nothing is left.
 */
export function courteousName(displayName: string | undefined): string | undefined {
  const words = singleLine((displayName ?? '').slice(0, MAX_LOOKED_AT))
    .split(' ')
    .filter((word) => !LINK_LIKE.test(word.replace(JOINERS, '')));
  const characters = [...words.join(' ')];
  if (characters.length === 0) return undefined;
  return characters.length <= MAX_LENGTH
    ? characters.join('')
    : `${characters
        .slice(0, MAX_LENGTH - 1)
        .join('')
        .trimEnd()}…`;
}
