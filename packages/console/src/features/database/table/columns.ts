/** The column of the keys, which is always first. Keys cannot contain dots, so no member has this name. */
export const KEY_COLUMN = '.key';

/** Widths of columns, in pixels. */
const COLUMN_PX = 200;
const KEY_PX = 190;
export const MIN_COLUMN_PX = 60;
export const MAX_COLUMN_PX = 1_000;

/** How the user has arranged the columns of a table. */
export interface ColumnLayout {
  /** Widths in pixels of resized columns. */
  readonly widths: Readonly<Record<string, number>>;
  readonly hidden: readonly string[];
  /** Columns that stay on the screen while the table scrolls sideways. */
  readonly pinned: readonly string[];
  /** The order after a column was moved. Other columns follow in key order. */
  readonly order: readonly string[];
  /** Whether times in milliseconds are shown as numbers instead of dates. */
  readonly isRawTime: boolean;
}

export const NEW_LAYOUT: ColumnLayout = { widths: {}, hidden: [], pinned: [], order: [], isRawTime: false };

/** A shown column with its position. */
export interface PlacedColumn {
  readonly name: string;
  readonly widthPx: number;
  /** Distance from the start of the table, in pixels. */
  readonly startPx: number;
  readonly isPinned: boolean;
}

/** Returns all columns in the user's order: the pinned ones first. */
export function orderColumns(names: readonly string[], { pinned, order }: ColumnLayout): readonly string[] {
  const rank = (name: string): number => {
    const index = order.indexOf(name);
    return (pinned.includes(name) ? 0 : 1_000) + (index < 0 ? order.length : index);
  };
  return [...names].sort((a, b) => rank(a) - rank(b));
}

export function widthOf(name: string, { widths }: ColumnLayout): number {
  return widths[name] ?? (name === KEY_COLUMN ? KEY_PX : COLUMN_PX);
}

/** Returns the columns that are not hidden, with their positions after the column of keys. */
export function placeColumns(names: readonly string[], layout: ColumnLayout): readonly PlacedColumn[] {
  let startPx = widthOf(KEY_COLUMN, layout);
  return orderColumns(names, layout)
    .filter((name) => !layout.hidden.includes(name))
    .map((name) => {
      const column = {
        name,
        widthPx: widthOf(name, layout),
        startPx,
        isPinned: layout.pinned.includes(name),
      };
      startPx += column.widthPx;
      return column;
    });
}

/** Returns the width of all columns, in pixels. */
export function totalWidth(columns: readonly PlacedColumn[], layout: ColumnLayout): number {
  const last = columns.at(-1);
  return last === undefined ? widthOf(KEY_COLUMN, layout) : last.startPx + last.widthPx;
}

/** Distance in pixels beyond the edges of the screen within which columns are drawn. */
const OVERSCAN_PX = 200;

/** The columns to draw: all pinned ones, and those from `first` to before `end`. */
export interface ColumnWindow {
  readonly first: number;
  readonly end: number;
  /** Number of pinned columns, which are first. */
  readonly pinnedCount: number;
  /** Width in pixels of the columns between the pinned ones and `first`. */
  readonly gapPx: number;
}

/** Returns the columns on the screen, which begins `scrolledPx` after the start of the table. */
export function windowOf(
  columns: readonly PlacedColumn[],
  scrolledPx: number,
  screenPx: number,
): ColumnWindow {
  const pinnedCount = columns.filter(({ isPinned }) => isPinned).length;
  const fromPx = scrolledPx - OVERSCAN_PX;
  const toPx = scrolledPx + screenPx + OVERSCAN_PX;
  let first = pinnedCount;
  while (first < columns.length && endPx(columns[first]) < fromPx) first += 1;
  let end = first;
  while (end < columns.length && (columns[end]?.startPx ?? 0) < toPx) end += 1;
  const gapStart = pinnedCount === 0 ? columns[0]?.startPx : endPx(columns[pinnedCount - 1]);
  const gapEnd = columns[first]?.startPx ?? (pinnedCount < columns.length ? endPx(columns.at(-1)) : gapStart);
  return { first, end, pinnedCount, gapPx: (gapEnd ?? 0) - (gapStart ?? 0) };
}

function endPx(column: PlacedColumn | undefined): number {
  return column === undefined ? 0 : column.startPx + column.widthPx;
}

export function resizeColumn(layout: ColumnLayout, name: string, widthPx: number): ColumnLayout {
  const width = Math.round(Math.max(MIN_COLUMN_PX, Math.min(MAX_COLUMN_PX, widthPx)));
  return { ...layout, widths: { ...layout.widths, [name]: width } };
}

export function toggleHidden(layout: ColumnLayout, name: string): ColumnLayout {
  return { ...layout, hidden: toggled(layout.hidden, name) };
}

export function togglePinned(layout: ColumnLayout, name: string): ColumnLayout {
  return { ...layout, pinned: toggled(layout.pinned, name) };
}

function toggled(names: readonly string[], name: string): readonly string[] {
  return names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
}

/** Moves a column among the shown columns by some places. */
export function moveColumn(
  names: readonly string[],
  layout: ColumnLayout,
  name: string,
  places: number,
): ColumnLayout {
  const ordered = orderColumns(names, layout);
  const shown = ordered.filter((one) => !layout.hidden.includes(one));
  const target = shown[shown.indexOf(name) + places];
  if (target === undefined) return layout;
  const others = ordered.filter((one) => one !== name);
  const at = others.indexOf(target) + (places > 0 ? 1 : 0);
  return { ...layout, order: others.toSpliced(at, 0, name) };
}

/** The type of the values in a column; `mixed` if they have several. */
export type ColumnType = 'string' | 'number' | 'boolean' | 'json' | 'time' | 'mixed';

/** Returns the type of a value; `undefined` if there is none. */
function typeOfValue(value: unknown): ColumnType | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return typeof value === 'string' ? 'string' : 'boolean';
    case 'number':
    case 'bigint':
      return isTime(value) ? 'time' : 'number';
    case 'object':
      return value === null ? undefined : 'json';
    default:
      return undefined;
  }
}

/** The first and the last number of 13 digits that is shown as a date: 2001 to 2286. */
const FIRST_TIME_MS = 1_000_000_000_000;
const LAST_TIME_MS = 9_999_999_999_999;

/** Returns whether a value is an integer of 13 digits, which apps use for times in milliseconds since 1970. */
export function isTime(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value >= FIRST_TIME_MS && value <= LAST_TIME_MS
  );
}

/** Adds the type of a value to the type of its column. */
export function joinTypes(before: ColumnType | undefined, value: unknown): ColumnType | undefined {
  const type = typeOfValue(value);
  if (type === undefined || before === type) return before;
  return before === undefined ? type : 'mixed';
}

/** Maximum number of columns in each list of a layout. */
export const MAX_ARRANGED = 120;

/** Parses a stored layout. Returns the default for anything else. */
export function parseLayout(json: unknown): ColumnLayout {
  if (typeof json !== 'object' || json === null) return NEW_LAYOUT;
  const { widths, hidden, pinned, order, isRawTime } = json as Partial<Record<keyof ColumnLayout, unknown>>;
  const entries = typeof widths === 'object' && widths !== null ? Object.entries(widths) : [];
  return {
    widths: Object.fromEntries(
      entries
        .filter(([, width]) => typeof width === 'number' && width >= MIN_COLUMN_PX && width <= MAX_COLUMN_PX)
        .slice(0, MAX_ARRANGED),
    ),
    hidden: namesIn(hidden),
    pinned: namesIn(pinned),
    order: namesIn(order),
    isRawTime: isRawTime === true,
  };
}

function namesIn(json: unknown): readonly string[] {
  return Array.isArray(json)
    ? json.filter((name): name is string => typeof name === 'string').slice(0, MAX_ARRANGED)
    : [];
}
