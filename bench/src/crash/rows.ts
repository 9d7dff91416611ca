import { canonicalJson, isRecord, type JsonRecord } from '../client/json.ts';

/** Returns the rows of one writer by path below `/crash`, as canonical text. */
export function findRows(data: unknown, writer: string): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  const own = recordAt(data, writer);
  for (const family of Object.keys(own)) {
    for (const [key, row] of Object.entries(recordAt(own, family)))
      rows.set(`${writer}/${family}/${key}`, canonicalJson(row));
  }
  for (const [key, row] of Object.entries(recordAt(data, 'indexed'))) {
    if (key.startsWith(`${writer}-`)) rows.set(`indexed/${key}`, canonicalJson(row));
  }
  return rows;
}

/** Returns a child that is an object; an empty object if there is none. */
export function recordAt(data: unknown, key: string): JsonRecord {
  const child = isRecord(data) ? data[key] : undefined;
  return isRecord(child) ? child : {};
}
