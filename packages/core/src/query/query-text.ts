import { Refusal } from '../fault/refusal.ts';
import { canonicalJson } from './canonical-json.ts';
import { parseQuery, QUERY_FIELDS, type Query } from './query.ts';

/** Longest canonical text of a query that somebody may listen to, in UTF-16 code units: it is kept with the listen. */
const MAX_QUERY_UNITS = 65_536;

/** A query with the text that tells it apart from others. */
export interface NamedQuery {
  readonly query: Query;
  /** Canonical JSON of the fields that mean something, just those the client sent: equal for equal queries. */
  readonly text: string;
}

/** Reads a query to listen to, or to stop listening to. Refuses with `query/invalid` too long a text, and as `parseQuery`. */
export function parseNamedQuery(json: unknown): NamedQuery {
  const query = parseQuery(json);
  const fields = json as Readonly<Record<string, unknown>>;
  const known = QUERY_FIELDS.filter((name) => Object.hasOwn(fields, name));
  const text = canonicalJson(Object.fromEntries(known.map((name) => [name, fields[name]])));
  if (text.length > MAX_QUERY_UNITS)
    throw new Refusal('query/invalid', `The query is longer than ${MAX_QUERY_UNITS} characters.`);
  return { query, text };
}
