import { parseJsonText } from '@hearth/core/tree/json-text.ts';

/** What children are ordered by. */
export const ORDERS = ['key', 'value', 'child', 'priority'] as const;
export type Order = (typeof ORDERS)[number];

export type Bound = string | number | boolean | null;

/** Which children of a node are asked for, as the official clients can ask. */
export interface NodeQuery {
  readonly order: Order;
  /** Path below each child, when that is the order. */
  readonly child: string;
  /** Each as JSON; text that is none is a string. Empty for no bound. */
  readonly equal: string;
  readonly start: string;
  readonly end: string;
  /** 1 to `MAX_QUERY_LIMIT`. */
  readonly limit: number;
  /** Are those meant that come last? */
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

/** Parameters of the address that say a query. */
const NAMES = ['order', 'child', 'equal', 'start', 'end', 'limit', 'last'] as const;

/** The query of an address; `null` when it has none. */
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

/** Changes of the parameters that make an address say a query, or none. */
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

/** A bound as it was typed: JSON of a string, number or boolean, or else a string. Keys are strings whatever they look like. */
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
