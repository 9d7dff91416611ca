import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

/** A text style for terminals that support colors. */
export type Color = 'green' | 'red' | 'yellow' | 'dim' | 'bold';

export type Paint = (color: Color, text: string) => string;

/** Returns the text unchanged; used for files, pipes and tests. */
export const PLAIN: Paint = (_color, text) => text;

/**
 * Returns a function that colors text if the stream is a terminal with colors, and otherwise returns it
 * unchanged.
 */
export function paintFor(stream: Writable & { readonly isTTY?: boolean }): Paint {
  return stream.isTTY === true ? (color, text) => styleText(color, text, { stream }) : PLAIN;
}

/**
 * Replaces the characters of an untrusted text that a terminal might interpret: control characters,
 * characters that are invisible or change the writing direction, and line and paragraph separators.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

/** Returns a count with its noun: `1 problem`, `2 problems`. `many` is the plural if it does not end in `s`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : many}`;
}

/** Returns a time in readable form: `2026-01-31 12:00:05 UTC`. */
export function formatTime(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Returns one line for each row. Each column is as wide as its widest cell. */
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

/** Prints the result of a command to standard output, as JSON or as readable lines. */
export function printOutcome(format: 'text' | 'json', json: unknown, lines: () => readonly string[]): void {
  const text = format === 'json' ? JSON.stringify(json, null, 2) : lines().join('\n');
  process.stdout.write(`${text}\n`);
}
