import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

/** What is said by a colour, where there are colours. */
export type Colour = 'green' | 'red' | 'yellow' | 'dim' | 'bold';

export type Paint = (colour: Colour, text: string) => string;

/** For files, pipes and tests. */
export const PLAIN: Paint = (_colour, text) => text;

/** Colours if the stream is a terminal that takes them. */
export function paintFor(stream: Writable & { readonly isTTY?: boolean }): Paint {
  return stream.isTTY === true ? (colour, text) => styleText(colour, text, { stream }) : PLAIN;
}

/**
 * A text that comes from others without what a terminal might obey: control characters, those that turn the direction of
 * writing or are not seen, and other ends of lines.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

/** `1 problem`, `2 problems`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A moment as people and tables like it: `2026-01-31 12:00:05 UTC`. */
export function formatTime(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Lines of columns that are as wide as their widest cell. */
export function formatTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    });
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Prints what a command has found to standard output, as JSON or in lines for people. */
export function printOutcome(format: 'text' | 'json', json: unknown, lines: () => readonly string[]): void {
  const text = format === 'json' ? JSON.stringify(json, null, 2) : lines().join('\n');
  process.stdout.write(`${text}\n`);
}
