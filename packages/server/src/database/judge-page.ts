import type { Bound, Query } from '@hearth/core/query/query.ts';
import { NO_QUERY, queryVariables } from '@hearth/core/rules/query-variables.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { joinPaths, type Path } from '@hearth/core/tree/path.ts';
import type { KvRead } from '../kv/store.ts';
import { type ChildPage, type PagePlace, readChildPage } from '../tree/child-page.ts';
import type { StoredTree } from '../tree/stored-tree.ts';
import { judgeReads, type ReadJudge } from './judge-reads.ts';

/** What rules let somebody read of a page. */
export type PageVerdict =
  | { readonly kind: 'readable' }
  /** Not the page, but some of its children, each on its own. */
  | { readonly kind: 'refused'; readonly readableKeys: ReadonlySet<Key> };

/** Which children of a node, and at most how many. */
export interface PageRequest {
  readonly path: Path;
  readonly place: PagePlace;
  readonly limit: number;
}

const READABLE: PageVerdict = { kind: 'readable' };

/** A page, and with a judge what of it somebody may read: both of one state of the store. */
export function readJudgedPage(
  tx: KvRead,
  stored: StoredTree,
  request: PageRequest,
  judge: ReadJudge | undefined,
): ChildPage & { readonly verdict?: PageVerdict } {
  const page = readChildPage(tx, stored, request.path, request.place, request.limit);
  if (judge === undefined) return page;
  const keys = page.children.map(({ key }) => key);
  return { ...page, verdict: judgePage(tx, stored, judge, request, keys) };
}

/** May somebody read a page: all of the node, or what the page stands for as a query? And if not, which of these children? */
function judgePage(
  tx: KvRead,
  stored: StoredTree,
  judge: ReadJudge,
  { path, place, limit }: PageRequest,
  keys: readonly Key[],
): PageVerdict {
  const mayRead = judgeReads(tx, stored, judge);
  if (mayRead(path, NO_QUERY) || mayRead(path, queryVariables(pageQuery(place, limit)))) return READABLE;
  const readableKeys = new Set(keys.filter((key) => mayRead(joinPaths(path, [key]), NO_QUERY)));
  return { kind: 'refused', readableKeys };
}

/** What a client asks for that wants the children of a page and no others. */
function pageQuery(place: PagePlace, limit: number): Query {
  const isFromRight = place.kind === 'last' || place.kind === 'before';
  return {
    index: { kind: 'key' },
    lower: place.kind === 'from' || place.kind === 'after' ? bound(place.key, place.kind === 'from') : null,
    upper: place.kind === 'before' ? bound(place.key, false) : null,
    limit,
    from: isFromRight ? 'right' : 'left',
  };
}

function bound(key: Key, isInclusive: boolean): Bound {
  return { value: null, key, isInclusive };
}
