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
 * and with a new push ID otherwise. A slash in the name of a column separates levels. Empty cells are left out. Throws
 * `CsvProblem`.
 */
export async function convertCsv(file: Blob, nowMs: number): Promise<Blob> {
  if (file.size > MAX_CSV_BYTES) throw new CsvProblem('too-large');
  const { CsvError, parse } = await import('csv-parse/browser/esm/sync');
  const text = await readUtf8(file);
  let rows: readonly (readonly string[])[];
  try {
    rows = parse(text, {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      relax_column_count_less: true,
    });
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const line: unknown = cause['lines'];
    throw new CsvProblem('syntax', typeof line === 'number' ? String(line) : '', { cause });
  }
  const [header = [], ...records] = rows;
  const columns = header.map((name) => name.trim());
  requireColumns(columns);
  const hasKeys = columns[0] === KEY_COLUMN;
  const keys = new KeySource(nowMs);
  // Written as text, because an object would drop a key that occurs twice, and order numeric keys. Each row has its line, so
  // that the server names the line of the file in an error, unless an earlier cell has line breaks.
  const members = records.map((cells) => {
    const key = hasKeys ? (cells[0] ?? '') : keys.next();
    return `${JSON.stringify(key)}:${printExact(rowValue(columns, cells, hasKeys ? 1 : 0), 0)}`;
  });
  return new Blob([`{\n${members.join(',\n')}}`], { type: 'application/json' });
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

function requireColumns(columns: readonly string[]): void {
  if (columns.length === 0 || columns.includes('')) throw new CsvProblem('no-header');
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) throw new CsvProblem('column-twice', twice);
}

/** Creates push IDs in ascending order. */
class KeySource {
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

function rowValue(columns: readonly string[], cells: readonly string[], first: number): Fields {
  const row: Fields = Object.create(null);
  columns.forEach((name, index) => {
    const value = parseCsvCell(cells[index] ?? '');
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
  const lines = rows.map(({ key, cells }) => [key, ...columns.map((name) => printCsvCell(cells.get(name)))]);
  return [[KEY_COLUMN, ...columns], ...lines].map((cells) => `${cells.map(quoteCsv).join(',')}\r\n`).join('');
}

function quoteCsv(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
