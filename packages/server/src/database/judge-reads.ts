import { isReadAllowed } from '@hearth/core/rules/decide-operation.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import type { AuthObject, QueryVariables } from '@hearth/core/rules/rule-value.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { KvRead } from '../kv/store.ts';
import { readIndexValue, readPriority } from '../tree/read.ts';
import type { StoredTree } from '../tree/stored-tree.ts';

/** By which rules somebody is judged, and when. */
export interface ReadJudge {
  readonly rules: RuleSet;
  /** `null` for guests. */
  readonly auth: AuthObject | null;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** May that one read what a query shows of a place, as it stands in a state of the store? */
export function judgeReads(
  tx: KvRead,
  stored: StoredTree,
  { rules, auth, nowMs }: ReadJudge,
): (at: Path, query: QueryVariables) => boolean {
  const tree = {
    findValue: (at: Path) => readIndexValue(tx, stored, at),
    findPriority: (at: Path) => readPriority(tx, stored, at),
  };
  return (path, query) => isReadAllowed(rules, { auth, now: nowMs, tree, path, query });
}
