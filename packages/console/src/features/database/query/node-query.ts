import { parseJsonText } from '@hearth/core/tree/json-text.ts';

/** Orders of children in a query. */
export const ORDERS = ['key', 'value', 'child', 'priority'] as const;
export type Order = (typeof ORDERS)[number];

export type Bound = string | number | boolean | null;

/** A query on the children of a node, with the options of the official clients. */
export interface NodeQuery {
  readonly order: Order;
  /** Path below each child, if the order is `child`. */
  readonly child: string;
  /** Bounds as typed: JSON, or a string if the text is not valid JSON. Empty for no bound. */
  readonly equal: string;
  readonly start: string;
  readonly end: string;
  /** 1 to `MAX_QUERY_LIMIT`. */
  readonly limit: number;
  /** Whether the limit applies to the last children instead of the first. */
  readonly isLast: boolean;
}

export const MAX_QUERY_LIMIT = 500;
const DEFAULT_LIMIT = 100;

export const NEW_QUERY: NodeQuery = {
  order: 'child',
  child: '',
  equal: '',
  start: '',
  end: '',
  limit: DEFAULT_LIMIT,
  isLast: false,
};

/** Address parameters of a query. */
const NAMES = ['order', 'child', 'equal', 'start', 'end', 'limit', 'last'] as const;

/** Reads the query of an address; `null` if it has none. */
export function readQuery(parameters: URLSearchParams): NodeQuery | null {
  const order = ORDERS.find((one) => one === parameters.get('order'));
  if (order === undefined) return null;
  const limit = Math.trunc(Number(parameters.get('limit')));
  return {
    order,
    child: parameters.get('child') ?? '',
    equal: parameters.get('equal') ?? '',
    start: parameters.get('start') ?? '',
    end: parameters.get('end') ?? '',
    limit: limit >= 1 && limit <= MAX_QUERY_LIMIT ? limit : DEFAULT_LIMIT,
    isLast: parameters.get('last') === 'true',
  };
}

/** Returns the changes of address parameters that set a query; for `null`, those that remove it. */
export function queryParameters(query: NodeQuery | null): Readonly<Record<string, string | null>> {
  const none = Object.fromEntries(NAMES.map((name) => [name, null]));
  if (query === null) return none;
  const orNull = (text: string): string | null => (text === '' ? null : text);
  return {
    ...none,
    order: query.order,
    child: query.order === 'child' ? orNull(query.child) : null,
    equal: orNull(query.equal),
    start: query.equal === '' ? orNull(query.start) : null,
    end: query.equal === '' ? orNull(query.end) : null,
    limit: String(query.limit),
    last: query.isLast ? 'true' : null,
  };
}

/** Parses a typed bound: JSON of a primitive value, otherwise a string. With order `key`, it is always a string. */
export function parseBound(text: string, order: Order): Bound {
  if (order === 'key') return text;
  try {
    const value = parseJsonText(text);
    if (typeof value === 'bigint') return Number(value);
    return typeof value === 'string' ||
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      value === null
      ? value
      : text;
  } catch {
    return text;
  }
}
