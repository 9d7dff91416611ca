import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { compareKeys } from '@hearth/core/tree/key.ts';
import type { ChildRow } from '../../../api/data.ts';
import { findRoundedNumber, isExact } from './exact-numbers.ts';
import { printExact } from './leaf-value.ts';
import { joinPath, type NodePath } from './node-path.ts';

/** A child as a row of the table. */
export type RowFields =
  /** An object whose content is known completely. */
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, unknown> }
  /** A primitive value. */
  | { readonly kind: 'value'; readonly value: unknown }
  /** An object without a preview, or a node that may not be read; `isReadable` if the object may be read. */
  | { readonly kind: 'unknown'; readonly isReadable: boolean };

/** Returns the table row for a child of a page whose previews are complete. */
export function fieldsOf(row: ChildRow): RowFields {
  if (row.isDenied === true) return { kind: 'unknown', isReadable: false };
  if (row.kind !== 'object') return { kind: 'value', value: row.value };
  return row.preview == null ? { kind: 'unknown', isReadable: true } : parseFields(row.preview);
}

/** Parses the text of a node in export format: the members of an object, without its priority, or a primitive value. */
export function parseFields(text: string): RowFields {
  const json = parseJsonText(text);
  if (typeof json !== 'object' || json === null) return { kind: 'value', value: json };
  return { kind: 'fields', fields: new Map(Object.entries(json).filter(([key]) => key !== '.priority')) };
}

/** Prints a cell for the clipboard: strings unquoted, missing values empty, other values as JSON. */
function printCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : printExact(value, 0);
}

/** Prints cells as tab-separated lines. Cells with tabs, line breaks or quotes are quoted. */
export function printTsv(cells: readonly (readonly unknown[])[]): string {
  return cells.map((row) => row.map((cell) => quoteTsv(printCell(cell))).join('\t')).join('\n');
}

function quoteTsv(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Parses tab-separated lines from the clipboard. */
export function parseTsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\n\r]*))(\t|\r?\n|$)/y;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) return text.split('\n').map((line) => line.split('\t'));
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] !== '\t' && match[3] !== '' && cell.lastIndex < text.length) rows.push([]);
  }
  // A trailing tab is followed by an empty cell.
  if (text.endsWith('\t')) rows.at(-1)?.push('');
  return rows;
}

/**
 * Returns the value for a text that was pasted from another program; `null` if it is empty. Over a string, the text stays a
 * string. Otherwise it is parsed as JSON, and stays a string if it is not JSON, or is a number in another form than the console
 * prints it, such as `1e5` or one with too many digits. Over a number, the text of any number that can be stored becomes a
 * number.
 */
export function parsePasted(text: string, before: unknown): unknown {
  if (text === '') return null;
  if (typeof before === 'string') return text;
  try {
    const value = parseJsonText(text);
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    if (!isNumber) return findRoundedNumber(text) === undefined ? value : text;
    const isOverNumber = typeof before === 'number' || typeof before === 'bigint';
    return String(value) === text || (isOverNumber && isExact(text)) ? value : text;
  } catch {
    return text;
  }
}

/** The type under which the clipboard holds the values of copied cells as JSON, besides their text. */
export const CELLS_TYPE = 'application/x-hearth-cells';

/** Prints the values of cells for the clipboard. */
export function printCells(cells: readonly (readonly unknown[])[]): string {
  return printExact(
    cells.map((row) => row.map((value) => value ?? null)),
    0,
  );
}

/** Parses what `printCells` printed. Returns `undefined` for any other text. */
export function parseCells(text: string): readonly (readonly unknown[])[] | undefined {
  try {
    const rows = parseJsonText(text);
    return Array.isArray(rows) && rows.every((row) => Array.isArray(row)) ? rows : undefined;
  } catch {
    return undefined;
  }
}

/** The column for children that are primitive values. Keys cannot contain dots, so no member has this name. */
export const VALUE_COLUMN = '.value';

/** Maximum number of columns. Further members of a row are visible in its JSON. */
const MAX_COLUMNS = 60;

/** Adds the columns of further rows, in key order after the column of values. Returns `known` itself if nothing was added. */
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

/** Returns the value of a cell; `undefined` if it has none. */
export function valueInColumn(row: RowFields, column: string | undefined): unknown {
  if (column === undefined) return undefined;
  if (row.kind === 'fields') return row.fields.get(column);
  return row.kind === 'value' && column === VALUE_COLUMN ? row.value : undefined;
}

/** Returns the path of the node that a cell shows. */
export function pathInColumn(row: NodePath, column: string): NodePath {
  return column === VALUE_COLUMN ? row : joinPath(row, column);
}

/** Returns whether a row can have a value in a column, so that the cell can be edited. */
export function isCellOf(row: RowFields, column: string | undefined): column is string {
  if (column === undefined) return false;
  return row.kind === (column === VALUE_COLUMN ? 'value' : 'fields');
}
