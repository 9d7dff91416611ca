import { Chunk } from '@codemirror/merge';
import { Text } from '@codemirror/state';
import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import { alpha, type Theme } from '@mui/material/styles';
import { showControls } from '../../../ui/text.tsx';

interface DifferenceTextProps {
  readonly label: string;
  /** In the format of `diff -u`. */
  readonly difference: string;
}

/** Shows a difference line by line. */
export function DifferenceText({ label, difference }: DifferenceTextProps) {
  // Lines are never reordered, so their index is a stable key.
  const lines = difference
    .replace(/\n$/, '')
    .split('\n')
    .map((line, index) => ({ key: `${index}`, line, index }));
  return (
    <Box
      component="pre"
      tabIndex={0}
      role="region"
      aria-label={label}
      dir="ltr"
      sx={{
        flex: 1,
        margin: 0,
        overflow: 'auto',
        fontFamily: MONOSPACE,
        fontSize: 13,
        lineHeight: 1.55,
        textAlign: 'start',
      }}
    >
      {lines.map(({ key, line, index }) => (
        <Box
          key={key}
          component="span"
          sx={(theme) => ({
            display: 'block',
            minWidth: 'max-content',
            paddingInline: 1.5,
            ...styleOf(line, index, theme),
          })}
        >
          {line === '' ? ' ' : line.split('\t').map(showControls).join('\t')}
        </Box>
      ))}
    </Box>
  );
}

function styleOf(line: string, index: number, { palette }: Theme): Readonly<Record<string, string>> {
  // The first two lines name the compared versions.
  if (index < 2 || line.startsWith('@@')) return { color: palette.text.secondary };
  if (line.startsWith('+')) return { backgroundColor: alpha(palette.success.main, 0.14) };
  if (line.startsWith('-')) return { backgroundColor: alpha(palette.error.main, 0.14) };
  return {};
}

/** Returns the numbers of added and removed lines between two texts. */
export function countChangedLines(
  before: string,
  after: string,
): { readonly added: number; readonly removed: number } {
  const a = linesOf(before);
  const b = linesOf(after);
  const chunks = Chunk.build(a, b);
  return {
    added: chunks.reduce((sum, { fromB, toB }) => sum + countLines(b, fromB, toB), 0),
    removed: chunks.reduce((sum, { fromA, toA }) => sum + countLines(a, fromA, toA), 0),
  };
}

/** Splits a text into lines. The text after a final line break is not a line. */
function linesOf(text: string): Text {
  return Text.of(text.replace(/\n$/, '').split('\n'));
}

function countLines(text: Text, from: number, to: number): number {
  if (from === to) return 0;
  return text.lineAt(Math.min(to - 1, text.length)).number - text.lineAt(from).number + 1;
}
