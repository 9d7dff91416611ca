/** Is a JSON value nested deeper than so many levels? A value without members has no level, `{}` and `[1]` have one. */
export function isNestedDeeperThan(json: unknown, levels: number): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if (levels === 0) return true;
  return Object.values(json).some((member) => isNestedDeeperThan(member, levels - 1));
}
