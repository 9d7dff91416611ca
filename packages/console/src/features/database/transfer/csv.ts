import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { compareKeys } from '@hearth/core/tree/key.ts';
import { pushKey } from '@hearth/core/tree/push-key.ts';
import { parsePasted } from '../model/cells.ts';
import { printExact } from '../model/leaf-value.ts';
import { CsvProblem, MAX_CSV_BYTES, MAX_CSV_COLUMNS, MAX_CSV_SOURCE_BYTES } from './csv-problem.ts';

/** The column with the keys of the rows. */
const KEY_COLUMN = 'key';
/** The column of rows that are primitive values. */
const VALUE_COLUMN = '.value';

/**
 * Converts a CSV file to JSON text in export form: one child per row, with the key in the first column if that is named `key`,
 * and with a new push ID otherwise. A slash in the name of a column separates levels. Empty cells and rows without values are
 * left out: an empty child would delete the stored one. Throws `CsvProblem`.
 */
export async function convertCsv(file: Blob, nowMs: number): Promise<Blob> {
  if (file.size > MAX_CSV_BYTES) throw new CsvProblem('too-large');
  const { CsvError, parse } = await import('csv-parse/browser/esm/sync');
  const text = await readUtf8(file);
  const delimiter = findDelimiter(text);
  let rows: readonly ParsedRow[];
  try {
    rows = parse(text, {
      bom: true,
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      relax_column_count_less: true,
      info: true,
    }) as unknown as readonly ParsedRow[];
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const line: unknown = cause['lines'];
    throw new CsvProblem('syntax', typeof line === 'number' ? String(line) : '', { cause });
  }
  const [header, ...rest] = rows;
  const columns = (header?.record ?? []).map((name) => parseCsvKey(name.trim()));
  const hasKeys = columns[0] === KEY_COLUMN;
  requireColumns(columns, hasKeys);
  const keys = hasKeys ? new RowKeys() : new NewKeys(nowMs);
  const parseCell = delimiter === ';' ? parseCommaCell : parseCsvCell;
  // Written as text, because an object would order numeric keys. Each row stays on its line, so that an error of the server
  // names the line of the file, unless an earlier cell contains line breaks.
  const members = rest.map(({ record, info }) => {
    const value = rowValue(columns, record.map(parseCell), hasKeys ? 1 : 0);
    if (Object.keys(value).length === 0) return '';
    return `${JSON.stringify(keys.next(record, info.lines))}:${printExact(value, 0)}`;
  });
  const last = members.findLastIndex((member) => member !== '');
  const lines = members.map((member, index) => (member === '' || index === last ? member : `${member},`));
  return new Blob([`{\n${lines.join('\n')}}`], { type: 'application/json' });
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Characters between cells: spreadsheet programs write semicolons in countries where a comma is in decimal numbers. */
const DELIMITERS = [',', ';', '\t'] as const;

/** Maximum length of the start of a file in which its delimiter is searched, in UTF-16 code units. */
const HEADER_UNITS = 2 ** 16;

/** Returns the character that is most often outside of quotation marks in the first line; a comma if there is none. */
function findDelimiter(text: string): string {
  const [header = ''] = text
    .slice(0, HEADER_UNITS)
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const count = (delimiter: string): number => header.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** Reads a file. Throws `CsvProblem` for another encoding, in which letters would be lost. */
async function readUtf8(file: Blob): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CsvProblem('encoding', '', { cause });
  }
}

/** Throws `CsvProblem` for columns without names, or with the same name. A member of the rows may be named like the keys. */
function requireColumns(columns: readonly string[], hasKeys: boolean): void {
  if (columns.length === 0 || columns.includes('')) throw new CsvProblem('no-header');
  const names = hasKeys ? columns.slice(1) : columns;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new CsvProblem('column-twice', twice);
}

/** Returns the keys in the first cells of rows. Throws `CsvProblem` for a missing or repeated key. */
class RowKeys {
  readonly #known = new Set<string>();

  next(cells: readonly string[], line: number): string {
    const key = parseCsvKey(cells[0] ?? '');
    if (key === '') throw new CsvProblem('no-key', String(line));
    if (this.#known.has(key)) throw new CsvProblem('key-twice', key, { line });
    this.#known.add(key);
    return key;
  }
}

/** Creates push IDs in ascending order. */
class NewKeys {
  readonly #nowMs: number;
  #state: Parameters<typeof pushKey>[2];

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  next(): string {
    const { key, state } = pushKey(this.#nowMs, crypto.getRandomValues(new Uint8Array(16)), this.#state);
    this.#state = state;
    return key;
  }
}

/** An object that is being filled. It has no prototype, so that every name is a member of its own. */
type Fields = Record<string, unknown>;

function rowValue(columns: readonly string[], values: readonly unknown[], first: number): Fields {
  const row: Fields = Object.create(null);
  columns.forEach((name, index) => {
    const value = values[index] ?? null;
    if (index < first || value === null) return;
    const path = name.split('/').filter((key) => key !== '');
    const last = path.pop() ?? name;
    let here = row;
    for (const key of path) here = childFields(here, key);
    here[last] = value;
  });
  return row;
}

/** Returns the object of a member. A primitive value there becomes an object, because a deeper column has a value. */
function childFields(parent: Fields, key: string): Fields {
  const known = parent[key];
  if (typeof known === 'object' && known !== null && !Array.isArray(known)) return known as Fields;
  const fields: Fields = Object.create(null);
  parent[key] = fields;
  return fields;
}

/** Returns the value of a cell: JSON, or otherwise the text itself; `null` for an empty cell. */
export function parseCsvCell(text: string): unknown {
  return parsePasted(text, undefined);
}

/** Returns the value of a cell of a file with semicolons, in which decimal numbers have commas. */
function parseCommaCell(text: string): unknown {
  const number = /^-?[0-9]+,[0-9]+$/.test(text) ? parseCsvCell(text.replace(',', '.')) : undefined;
  return typeof number === 'number' ? number : parseCsvCell(text);
}

/** Returns a key or the name of a column: the text of a cell, or of the JSON string in it. */
function parseCsvKey(text: string): string {
  if (!text.startsWith('"')) return text;
  const value = parseCsvCell(text);
  return typeof value === 'string' ? value : text;
}

/** Prints a key or the name of a column so that `parseCsvKey` returns it, and no spreadsheet program takes it for a formula. */
function printCsvKey(key: string): string {
  return FORMULA.test(key) || key.trim() !== key || parseCsvKey(key) !== key ? JSON.stringify(key) : key;
}

/** First characters with which a spreadsheet program takes a text for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Prints a value so that `parseCsvCell` returns it. A string stays as it is, except one that is empty, would be read as another
 * value, or that a spreadsheet program would take for a formula: it is printed as JSON.
 */
export function printCsvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return printExact(value, 0);
  return value === '' || FORMULA.test(value) || parseCsvCell(value) !== value ? JSON.stringify(value) : value;
}

/**
 * Converts JSON text in export form to CSV: one row per child, with its key in the first column, and a column for every value
 * below it. Throws `CsvProblem` if the node has no children, or too many columns.
 */
export async function printCsv(json: Blob): Promise<string> {
  if (json.size > MAX_CSV_SOURCE_BYTES) throw new CsvProblem('too-large');
  const node = parseJsonText(await json.text());
  if (typeof node !== 'object' || node === null || VALUE_COLUMN in node) throw new CsvProblem('no-rows');
  const children = Object.entries(node).filter(([key]) => key !== '.priority');
  const flat = children.map(([key, child]) => ({ key, cells: cellsOf(child, Number.POSITIVE_INFINITY) }));
  if (countColumns(flat) <= MAX_CSV_COLUMNS) return printRows(flat);
  const shallow = children.map(([key, child]) => ({ key, cells: cellsOf(child, 1) }));
  if (countColumns(shallow) > MAX_CSV_COLUMNS) throw new CsvProblem('too-wide');
  return printRows(shallow);
}

interface CsvRow {
  readonly key: string;
  /** The values by the names of their columns. */
  readonly cells: ReadonlyMap<string, unknown>;
}

/** Returns the cells of a child, whose members are separate columns down to `depth` levels. */
function cellsOf(child: unknown, depth: number): ReadonlyMap<string, unknown> {
  const cells = new Map<string, unknown>();
  const add = (name: string, value: unknown, level: number): void => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject || level === depth) cells.set(name === '' ? VALUE_COLUMN : name, value);
    else
      for (const [key, member] of Object.entries(value))
        add(name === '' ? key : `${name}/${key}`, member, level + 1);
  };
  add('', child, 0);
  return cells;
}

function countColumns(rows: readonly CsvRow[]): number {
  const names = new Set<string>();
  for (const { cells } of rows) {
    for (const name of cells.keys()) names.add(name);
    if (names.size > MAX_CSV_COLUMNS) break;
  }
  return names.size;
}

function printRows(rows: readonly CsvRow[]): string {
  const columns = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))].sort(compareKeys);
  const lines = rows.map(({ key, cells }) => [
    printCsvKey(key),
    ...columns.map((name) => printCsvCell(cells.get(name))),
  ]);
  const header = [KEY_COLUMN, ...columns.map(printCsvKey)];
  return [header, ...lines].map((cells) => `${cells.map(quoteCsv).join(',')}\r\n`).join('');
}

function quoteCsv(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
