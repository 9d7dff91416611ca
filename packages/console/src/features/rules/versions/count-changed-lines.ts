import { Chunk } from '@codemirror/merge';
import { Text } from '@codemirror/state';

/** How many lines one text has that the other has not, and the other way about. */
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

/** What follows the last line break is no line. */
function linesOf(text: string): Text {
  return Text.of(text.replace(/\n$/, '').split('\n'));
}

function countLines(text: Text, from: number, to: number): number {
  if (from === to) return 0;
  return text.lineAt(Math.min(to - 1, text.length)).number - text.lineAt(from).number + 1;
}
