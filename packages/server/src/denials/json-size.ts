/**
 * A number of UTF-16 units that a value takes as JSON at least. Counts no further than `limit`: what is that long costs no
 * more, however long it is.
 */
export function jsonSize(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length + '""'.length;
  if (typeof value !== 'object' || value === null) return 1;
  let units = '{}'.length;
  for (const key in value) {
    if (units >= limit) break;
    const member: unknown = Reflect.get(value, key);
    if (member === undefined) continue;
    if (!Array.isArray(value)) units += key.length + '"":'.length;
    units += jsonSize(member, limit - units);
  }
  return units;
}
