/**
 * Returns every cycle that a depth-first search along the edges finds, as its nodes in order, with the first
 * one repeated at the end.
 */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (node: string): void => {
    if (done.has(node)) return;
    const start = trail.indexOf(node);
    if (start >= 0) {
      cycles.push([...trail.slice(start), node]);
      return;
    }
    trail.push(node);
    for (const next of edges.get(node) ?? []) visit(next);
    trail.pop();
    done.add(node);
  };
  for (const node of edges.keys()) visit(node);
  return cycles;
}
