import type { CoverageSummary } from '@hearth/core/rules/coverage-gaps.ts';
import { formatTable } from './format-table.ts';
import type { Paint } from './paint.ts';
import { plural } from './plural.ts';

/** Longest text of an expression, in characters. */
const MAX_TEXT = 80;

/** How much of rules was tried, and a line for every expression that never came to something. */
export function formatCoverage(
  { expressions, covered, gaps }: CoverageSummary,
  name: string,
  paint: Paint,
): readonly string[] {
  const head = `Coverage: ${covered} of ${plural(expressions, 'expression')} came to both true and false.`;
  const table = formatTable(
    gaps.map(({ line, column, gap, text }) => [`${name}:${line}:${column}`, gap, shorten(text)]),
  );
  return [paint(gaps.length === 0 ? 'green' : 'yellow', head), ...table];
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}
