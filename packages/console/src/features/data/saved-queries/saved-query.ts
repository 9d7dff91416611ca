import type { NodePath } from '../model/node-path.ts';

/** A view of data that somebody has given a name. */
export interface SavedQuery {
  readonly id: string;
  readonly name: string;
  readonly database: string;
  readonly path: NodePath;
  /** Parameters of its address: how it is shown, and what of it. */
  readonly parameters: string;
}

/** Longest name, in characters. */
export const MAX_NAME = 60;

/** Longest parameters, in characters. */
export const MAX_PARAMETERS = 2_000;

/** Parameters that say what is seen. In whose place, which line, and whether it is paused, is of the moment. */
const KEPT = [
  ...['view', 'from', 'tail'],
  ...['order', 'child', 'equal', 'start', 'end', 'limit', 'last'],
  ...['q', 'in', 'case'],
];

/** What of an address is saved. */
export function keptParameters(parameters: URLSearchParams): string {
  return new URLSearchParams([...parameters].filter(([name]) => KEPT.includes(name))).toString();
}

/** Why something cannot be saved under a name; `null` if it can. */
export function findNameProblem(
  name: string,
  others: readonly SavedQuery[],
): 'empty' | 'long' | 'taken' | null {
  const trimmed = name.trim();
  if (trimmed === '') return 'empty';
  if (trimmed.length > MAX_NAME) return 'long';
  return others.some((other) => other.name === trimmed) ? 'taken' : null;
}
