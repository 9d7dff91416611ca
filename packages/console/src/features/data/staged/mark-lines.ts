import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { ExactValue } from '../model/exact-json.ts';
import type { ChangeSign, Difference } from './differences.ts';

/** A line of a text, from 1 on, and what becomes of what stands there. */
export interface LineMark {
  readonly line: number;
  readonly sign: ChangeSign;
}

/** Differences that are marked in a text. */
const MAX_MARKED = 500;

/** The lines of JSON text, as `printExact` prints it, that differences made other. What is removed is marked where it was. */
export function markLines(text: string, differences: readonly Difference[]): readonly LineMark[] {
  if (differences.length === 0) return [];
  const value = parseJsonText(text);
  const signs = new Map<number, ChangeSign>();
  for (const { keys, sign } of differences.slice(0, MAX_MARKED)) {
    const span = findLines(value, keys);
    if (span === undefined) {
      const line = lineAbove(value, keys);
      if (!signs.has(line)) signs.set(line, 'removed');
    } else for (let line = span.first; line <= span.last; line++) signs.set(line, sign);
  }
  return [...signs].map(([line, sign]) => ({ line, sign })).sort((a, b) => a.line - b.line);
}

/** Lines of a text; the last is included. */
interface LineSpan {
  readonly first: number;
  readonly last: number;
}

function findLines(value: ExactValue, keys: readonly string[], first = 1): LineSpan | undefined {
  const [key, ...below] = keys;
  if (key === undefined) return { first, last: first + countLines(value) - 1 };
  let line = first + 1;
  for (const [name, member] of membersOf(value)) {
    if (name === key) return findLines(member, below, line);
    line += countLines(member);
  }
  return undefined;
}

/** Where the nearest thing around a place begins that is there. */
function lineAbove(value: ExactValue, keys: readonly string[]): number {
  return findLines(value, keys.slice(0, -1))?.first ?? lineAbove(value, keys.slice(0, -1));
}

function countLines(value: ExactValue): number {
  const members = membersOf(value);
  return members.length === 0 ? 1 : members.reduce((sum, [, member]) => sum + countLines(member), 2);
}

function membersOf(value: ExactValue): readonly (readonly [string, ExactValue])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
