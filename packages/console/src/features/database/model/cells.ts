import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { compareKeys } from '@hearth/core/tree/key.ts';
import type { ChildRow } from '../../../api/data.ts';
import { printExact } from './leaf-value.ts';
import { joinPath, type NodePath } from './node-path.ts';

/** A child as a row of the table. */
export type RowFields =
  /** An object, all of which is known: its members. */
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, unknown> }
  /** A value, which has no members. */
  | { readonly kind: 'value'; readonly value: unknown }
  /** An object of which only the beginning is known; `isSmall` when all of it may be asked for. */
  | { readonly kind: 'unknown'; readonly isSmall: boolean };

/** Units of text that a preview has at most. */
const PREVIEW_UNITS = 200;

/** What a page of children tells of one of them. */
export function fieldsOf(row: ChildRow): RowFields {
  if (row.isRefused === true) return { kind: 'unknown', isSmall: false };
  if (row.kind !== 'object') return { kind: 'value', value: row.value };
  if (row.preview == null) return { kind: 'unknown', isSmall: false };
  return row.preview.length < PREVIEW_UNITS - 1
    ? parseFields(row.preview)
    : { kind: 'unknown', isSmall: true };
}

/** The members of an object, out of its text in export form. */
export function parseFields(text: string): RowFields {
  const json = parseJsonText(text);
  if (typeof json !== 'object' || json === null) return { kind: 'value', value: json };
  return { kind: 'fields', fields: new Map(Object.entries(json).filter(([key]) => key !== '.priority')) };
}

/** A cell as text for other programs: a string as it is, nothing for nothing, and everything else as JSON. */
function printCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : printExact(value, 0);
}

/** Cells as lines of values with tabs between them; what has tabs, line ends or quotes in it stands in quotes. */
export function printTsv(cells: readonly (readonly unknown[])[]): string {
  return cells.map((row) => row.map((cell) => quoteTsv(printCell(cell))).join('\t')).join('\n');
}

function quoteTsv(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Reads what another program has copied. */
export function parseTsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\n\r]*))(\t|\r?\n|$)/y;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) return text.split('\n').map((line) => line.split('\t'));
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] !== '\t' && match[3] !== '' && cell.lastIndex < text.length) rows.push([]);
  }
  // Behind a last tab is an empty cell.
  if (text.endsWith('\t')) rows.at(-1)?.push('');
  return rows;
}

/** A pasted text as a value of the kind of what stands there: text stays text, everything else is JSON if it can be. */
export function parsePasted(text: string, before: unknown): unknown {
  if (text === '') return null;
  if (typeof before === 'string') return text;
  try {
    return parseJsonText(text);
  } catch {
    return text;
  }
}

/** The column of children that are values themselves; no member of an object has such a name. */
export const VALUE_COLUMN = '.value';

/** Columns that a table has at most; what else rows have is in their JSON. */
const MAX_COLUMNS = 60;

/** Columns with those of more rows, in the order of keys; that of values comes first. */
export function addColumns(known: readonly string[], rows: readonly RowFields[]): readonly string[] {
  const names = new Set(known);
  for (const row of rows) {
    if (row.kind === 'value') names.add(VALUE_COLUMN);
    if (row.kind === 'fields')
      for (const name of row.fields.keys()) if (names.size < MAX_COLUMNS) names.add(name);
  }
  if (names.size === known.length) return known;
  return [...names].sort((a, b) => rankOf(a) - rankOf(b) || compareKeys(a, b));
}

function rankOf(column: string): number {
  return column === VALUE_COLUMN ? 0 : 1;
}

/** What a row has in a column; `undefined` for nothing. */
export function valueInColumn(row: RowFields, column: string | undefined): unknown {
  if (column === undefined) return undefined;
  if (row.kind === 'fields') return row.fields.get(column);
  return row.kind === 'value' && column === VALUE_COLUMN ? row.value : undefined;
}

/** Where the node of a cell is. */
export function pathInColumn(row: NodePath, column: string): NodePath {
  return column === VALUE_COLUMN ? row : joinPath(row, column);
}

/** Can a cell of a row have a value, and its node children beside it? */
export function isCellOf(row: RowFields, column: string | undefined): column is string {
  if (column === undefined) return false;
  return row.kind === (column === VALUE_COLUMN ? 'value' : 'fields');
}
