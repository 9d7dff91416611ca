import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Figure, findRatio, isMet, type Target } from './scenarios/scenario.ts';

const HEADER = ['figure', 'Hearth', 'compared with', 'ratio', 'target', 'met'] as const;

/** Formats figures as a Markdown table with aligned columns. */
export function formatTable(figures: readonly Figure[]): string {
  const rows = [HEADER, ...figures.map(formatRow)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    formatLine(row.map((cell, column) => pad(cell, widths[column] ?? 0, column))),
  );
  const rule = formatLine(
    widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)),
  );
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function formatRow(figure: Figure): readonly string[] {
  const ratio = findRatio(figure);
  const met = isMet(figure);
  return [
    `${figure.name}, ${figure.unit}`,
    formatNumber(figure.value),
    figure.compared === undefined ? '' : formatNumber(figure.compared),
    ratio === undefined ? '' : ratio.toFixed(2),
    formatTarget(figure.target),
    met === undefined ? '' : met ? 'yes' : 'NO',
  ];
}

function formatTarget(target: Target): string {
  switch (target.kind) {
    case 'ratioAtLeast':
      return `ratio ≥ ${target.bound}`;
    case 'ratioAtMost':
      return `ratio ≤ ${target.bound}`;
    case 'below':
      return `< ${target.bound}`;
    case 'atLeast':
      return `≥ ${target.bound}`;
    case 'none':
      return '';
    default:
      return target satisfies never;
  }
}

function formatNumber(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US');
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function formatLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));

/** Replaces the section of a scenario in `docs/performance.md`. Throws if the page has no such section. */
export function writePerformancePage(scenario: string, content: string): void {
  writeFileSync(PAGE, replacePart(readFileSync(PAGE, 'utf8'), scenario, content));
}

/** Replaces the text between the markers of a section, and keeps the markers. */
function replacePart(page: string, part: string, content: string): string {
  const opening = `<!-- bench ${part} -->`;
  const closing = `<!-- end ${part} -->`;
  const start = page.indexOf(opening);
  const end = page.indexOf(closing);
  if (start < 0 || end < start) throw new Error(`the page has no section named ${part}`);
  return `${page.slice(0, start + opening.length)}\n\n${content}\n\n${page.slice(end)}`;
}
