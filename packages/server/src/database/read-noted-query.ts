import { type Entry, indexName, type Query } from '@hearth/core/query/query.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import { SLOW_MS } from '../activity/query-log.ts';
import type { Turn } from '../commit/turn.ts';
import type { Database } from './database.ts';
import { isIndexed } from './indexed.ts';
import { rulesLocation } from './rules-location.ts';

/** The children that a query shows, in query order. If it is slow or has no index, that is noted for administrators. */
export function readNotedQuery(turn: Turn, database: Database, path: Path, query: Query): readonly Entry[] {
  const startedMs = database.elapsedMs();
  const lookedAt = { children: 0 };
  const entries = database.tree(turn).readQuery(path, query, lookedAt);
  const ms = database.elapsedMs() - startedMs;
  const hasIndex = isIndexed(database, path, query.index);
  if (!hasIndex || ms >= SLOW_MS)
    database.activity.queries.note({
      location: rulesLocation(database.rules, path),
      orderBy: indexName(query.index),
      isIndexed: hasIndex,
      isRefused: false,
      ms,
      children: lookedAt.children,
      atMs: turn.nowMs,
    });
  return entries;
}
