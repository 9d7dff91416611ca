import { Refusal } from '@hearth/core/fault/refusal.ts';
import { indexName, type QueryIndex } from '@hearth/core/query/query.ts';
import { indexOnAt } from '@hearth/core/rules/find-rule.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import type { Turn } from '../commit/turn.ts';
import type { Database } from './database.ts';
import { rulesLocation } from './rules-location.ts';

/** Do the rules declare the index at this path? Keys and priorities need no declaration. */
export function isIndexed(database: Database, path: Path, index: QueryIndex): boolean {
  if (index.kind === 'key' || index.kind === 'priority') return true;
  return indexOnAt(database.rules, path).includes(indexName(index));
}

/** Refuses with the sentence that clients show to their developers, which says what to add to the rules. */
export function mustBeIndexed(turn: Turn, database: Database, path: Path, index: QueryIndex): void {
  if (isIndexed(database, path, index)) return;
  database.activity.queries.note({
    location: rulesLocation(database.rules, path),
    orderBy: indexName(index),
    isIndexed: false,
    isRefused: true,
    ms: 0,
    children: null,
    atMs: turn.nowMs,
  });
  throw new Refusal(
    'query/unindexed',
    `Index not defined, add ".indexOn": "${indexName(index)}", for path "/${formatPath(path)}", to the rules`,
  );
}
