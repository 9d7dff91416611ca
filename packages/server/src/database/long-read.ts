import { NO_QUERY } from '@hearth/core/rules/query-variables.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { pathOf } from '@hearth/core/tree/path.ts';
import type { KvRead } from '../kv/store.ts';
import { ChildCount } from '../tree/child-count.ts';
import type { StoredTree } from '../tree/stored-tree.ts';
import { type SearchRequest, SubtreeSearch } from '../tree/subtree-search.ts';
import { SubtreeSize } from '../tree/subtree-size.ts';
import { progressLine, searchHitLine } from './explorer-json.ts';
import { judgeReads, type ReadJudge } from './judge-reads.ts';

/** A look at more of a database than one step may take, told in lines of JSON text. */
export interface LongRead {
  /** Goes on until `isOver` says so. Returns lines about what was found, and whether that was all. */
  step(tx: KvRead, isOver: () => boolean): { readonly lines: string; readonly isDone: boolean };
  progressLine(): string;
  doneLine(): string;
}

/** The number of children of a node; with `before`, of those before a key. */
export function countChildren(tree: StoredTree, path: readonly Key[], before: Key | undefined): LongRead {
  const count = new ChildCount(tree, path, before);
  return {
    step: (tx, isOver) => ({ lines: '', isDone: count.step(tx, isOver) }),
    progressLine: () => progressLine('progress', { count: count.count }),
    doneLine: () => progressLine('done', { count: count.count }),
  };
}

/** How much there is at and below a path. */
export function measureSubtree(tree: StoredTree, path: readonly Key[]): LongRead {
  const size = new SubtreeSize(tree, path);
  return {
    step: (tx, isOver) => ({ lines: '', isDone: size.step(tx, isOver) }),
    progressLine: () => progressLine('progress', { entries: size.entries, bytes: size.bytes }),
    doneLine: () => progressLine('done', { entries: size.entries, bytes: size.bytes }),
  };
}

/** Keys and values at and below a path that match; with judges, those alone that rules let somebody read. */
export function searchSubtree(
  tree: StoredTree,
  path: readonly Key[],
  request: SearchRequest,
  judgeOfNow?: () => ReadJudge,
): LongRead {
  const search = new SubtreeSearch(tree, path, request);
  const progress = () => ({ entries: search.entries, bytes: search.bytes, hits: search.hits });
  return {
    step(tx, isOver) {
      const judge = judgeOfNow?.();
      const mayRead = judge && judgeReads(tx, tree, judge);
      const mayTell = mayRead && ((keys: readonly Key[]) => mayRead(pathOf(keys), NO_QUERY));
      const { found, isDone } = search.step(tx, isOver, mayTell);
      return { lines: found.map(searchHitLine).join(''), isDone };
    },
    progressLine: () => progressLine('progress', progress()),
    doneLine: () => progressLine('done', { ...progress(), isComplete: !search.isCut }),
  };
}
