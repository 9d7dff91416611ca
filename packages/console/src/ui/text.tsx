import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { MONOSPACE } from './theme.ts';

/** Control characters, those that turn the direction of writing or are not seen, and halves of pairs. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Joins parts of one sign, and of letters in some scripts. */
const JOINERS = new Set(['\u200c', '\u200d']);

/** A text with its unseen characters as their code points, such as `⟨U+202E⟩`. */
export function showControls(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    if (JOINERS.has(character)) return character;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

interface UntrustedTextProps {
  readonly text: string;
  /** Is it copied letter by letter? */
  readonly isCode?: boolean;
}

/** A text that somebody else wrote: in its own direction, and with a sign for each character that is not seen. */
export function UntrustedText({ text, isCode = false }: UntrustedTextProps) {
  return (
    <Box
      component="bdi"
      {...(isCode ? { dir: 'ltr' } : {})}
      sx={{ overflowWrap: 'anywhere', ...(isCode ? { fontFamily: MONOSPACE, fontSize: '0.925em' } : {}) }}
    >
      {showControls(text)}
    </Box>
  );
}

interface CodeTextProps {
  readonly children: ReactNode;
}

/** A key, path, id or other text that is copied letter by letter, kept apart from the direction of the text around it. */
export function CodeText({ children }: CodeTextProps) {
  return (
    <Box
      component="bdi"
      dir="ltr"
      sx={{ fontFamily: MONOSPACE, fontSize: '0.925em', overflowWrap: 'anywhere' }}
    >
      {children}
    </Box>
  );
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number of bytes in the largest unit of which there is one, such as `1.2 MB`. */
export function printBytes(bytes: number, language: string): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** power);
}
