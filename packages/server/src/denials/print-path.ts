/** A place as people read it: `/rooms/lobby`, the root `/`. */
export function printPath(keys: readonly string[]): string {
  return `/${keys.join('/')}`;
}
