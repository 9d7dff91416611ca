import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** Control, format and bidirectional characters, line separators, and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Joiners that emoji and some scripts need. */
const JOINERS = new Set(['\u200c', '\u200d']);

/** Replaces invisible characters with their code points, such as `⟨U+202E⟩`. */
export function showControls(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    if (JOINERS.has(character)) return character;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

/** Hides an element visually; screen readers still announce it. */
export const HEARD_ONLY = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const;

/** Maximum length of a word that stays on one line, even in a narrow column. */
const MAX_WORD = 30;

/** Minimum width of a text with a longer word, in a table. */
const MIN_WIDTH = '12rem';

/**
 * Returns styles for line breaks. Only a text with a word longer than `MAX_WORD` may break inside words. Most emails are
 * shorter.
 */
function wrapOf(text: ReactNode) {
  if (typeof text !== 'string') return { overflowWrap: 'anywhere' };
  return text.split(/\s/).every((word) => word.length <= MAX_WORD)
    ? { overflowWrap: 'break-word' }
    : { overflowWrap: 'anywhere', 'td &': { display: 'inline-block', minWidth: MIN_WIDTH } };
}

interface UntrustedTextProps {
  readonly text: string;
  /** Whether the text is code, such as a key or a path. */
  readonly isCode?: boolean;
}

/** Shows a text from another user, isolated from the text direction around it, with invisible characters made visible. */
export function UntrustedText({ text, isCode = false }: UntrustedTextProps) {
  return (
    <Box
      component="bdi"
      {...(isCode ? { dir: 'ltr' } : {})}
      sx={{ ...wrapOf(text), ...(isCode ? { fontFamily: MONOSPACE, fontSize: '0.925em' } : {}) }}
    >
      {showControls(text)}
    </Box>
  );
}

interface CodeTextProps {
  readonly children: ReactNode;
}

/** Shows a key, path, ID or other code, isolated from the text direction around it. */
export function CodeText({ children }: CodeTextProps) {
  return (
    <Box component="bdi" dir="ltr" sx={{ fontFamily: MONOSPACE, fontSize: '0.925em', ...wrapOf(children) }}>
      {children}
    </Box>
  );
}

/** An arrow from a text to the next one, with spaces around it. It points in the direction of reading. */
export function Arrow() {
  return (
    <>
      {' '}
      <Box component="span" sx={{ display: 'inline-block', '[dir=rtl] &': { transform: 'scaleX(-1)' } }}>
        →
      </Box>{' '}
    </>
  );
}

/** Stands for the part of a translated text that `TextWithPart` replaces. */
export const PART = '\u0000';

interface TextWithPartProps {
  /** Contains `PART` once. */
  readonly text: string;
  readonly children: ReactNode;
}

/** Shows a translated text with an element in it, such as code. The position of the element depends on the language. */
export function TextWithPart({ text, children }: TextWithPartProps) {
  const [before, after] = text.split(PART);
  return (
    <>
      {before}
      {children}
      {after}
    </>
  );
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a number of bytes in the largest suitable unit, such as `1.2 MB`. */
export function printBytes(bytes: number, language: string): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** power);
}
