/**
 * JSON text with the members of every object sorted by name, without spaces: the same for equal queries, whatever order
 * a client wrote their members in.
 */
export function canonicalJson(json: unknown): string {
  if (typeof json === 'bigint') return json.toString();
  if (typeof json !== 'object' || json === null) return JSON.stringify(json ?? null);
  if (Array.isArray(json)) return `[${json.map(canonicalJson).join(',')}]`;
  const fields = Object.entries(json)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${canonicalJson(value)}`);
  return `{${fields.join(',')}}`;
}
