import type { Bound, Query } from '@hearth/core/query/query.ts';
import { isReadAllowed } from '@hearth/core/rules/evaluate/decide.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { NO_QUERY, queryVariables } from '@hearth/core/rules/evaluate/scope.ts';
import type { AuthObject, QueryVariables } from '@hearth/core/rules/evaluate/values.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { priorityJson, scalarJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, joinPaths, type Path } from '@hearth/core/tree/path.ts';
import type { KvRead } from '../../storage/kv/store.ts';
import {
  type ChildPage,
  type ChildSummary,
  type PagePosition,
  readChildPage,
} from '../../storage/tree/child-page.ts';
import type { NodeSummary } from '../../storage/tree/node-summary.ts';
import { readIndexValue, readPriority } from '../../storage/tree/read.ts';
import type { StoredTree } from '../../storage/tree/stored-tree.ts';
import type { SearchHit } from '../../storage/tree/subtree-search.ts';

/** The rules, the principal and the time for deciding on reads. */
export interface ReadJudge {
  readonly rules: RuleSet;
  /** `null` for anonymous principals. */
  readonly auth: AuthObject | null;
  readonly nowMs: number;
}

/** Returns a function that decides whether the principal may read a query at a path, in one state of the store. */
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

/** Which part of a page the rules let a principal read. */
export type PageDecision =
  | { readonly kind: 'readable' }
  /** The page as a whole is not readable, but some of its children are. */
  | { readonly kind: 'refused'; readonly readableKeys: ReadonlySet<Key> };

/** Which children of a node to read, and at most how many. */
export interface PageRequest {
  readonly path: Path;
  readonly place: PagePosition;
  readonly limit: number;
}

const READABLE: PageDecision = { kind: 'readable' };

/**
 * Reads a page. With a judge, also decides which part of it the principal may read. Both use the same state of
 * the store.
 */
export function readJudgedPage(
  tx: KvRead,
  stored: StoredTree,
  request: PageRequest,
  judge: ReadJudge | undefined,
): ChildPage & { readonly pageDecision?: PageDecision } {
  const page = readChildPage(tx, stored, request.path, request.place, request.limit);
  if (judge === undefined) return page;
  const keys = page.children.map(({ key }) => key);
  return { ...page, pageDecision: judgePage(tx, stored, judge, request, keys) };
}

/**
 * Decides whether the principal may read the whole node or the query that corresponds to the page. If not,
 * decides which of these children the principal may read.
 */
function judgePage(
  tx: KvRead,
  stored: StoredTree,
  judge: ReadJudge,
  { path, place: location, limit }: PageRequest,
  keys: readonly Key[],
): PageDecision {
  const mayRead = judgeReads(tx, stored, judge);
  if (mayRead(path, NO_QUERY) || mayRead(path, queryVariables(pageQuery(location, limit)))) return READABLE;
  const readableKeys = new Set(keys.filter((key) => mayRead(joinPaths(path, [key]), NO_QUERY)));
  return { kind: 'refused', readableKeys };
}

/** Returns the query that selects exactly the children of a page. */
function pageQuery(location: PagePosition, limit: number): Query {
  const isFromRight = location.kind === 'last' || location.kind === 'before';
  return {
    index: { kind: 'key' },
    lower:
      location.kind === 'from' || location.kind === 'after'
        ? bound(location.key, location.kind === 'from')
        : null,
    upper: location.kind === 'before' ? bound(location.key, false) : null,
    limit,
    from: isFromRight ? 'right' : 'left',
  };
}

function bound(key: Key, isInclusive: boolean): Bound {
  return { value: null, key, isInclusive };
}

/**
 * Returns a page of children as JSON text. 64-bit integers keep every digit. With a decision, an unreadable
 * node shows nothing but whether it has children.
 */
export function childPageJson(
  { node, children, previous, next }: ChildPage,
  decision?: PageDecision,
): string {
  const isRefused = decision?.kind === 'refused';
  const items = children.map((child) =>
    isRefused && !decision.readableKeys.has(child.key) ? deniedChildJson(child) : childJson(child),
  );
  const summary = node === null ? 'null' : `{${isRefused ? deniedFields(node) : summaryFields(node)}}`;
  const judgement = decision === undefined ? '' : `,"isRefused":${isRefused}`;
  return (
    `{"node":${summary},"children":[${items.join(',')}],` +
    `"previous":${JSON.stringify(previous)},"next":${JSON.stringify(next)}${judgement}}`
  );
}

/** Returns a search hit as one line of JSON text. */
export function searchHitLine({ keys, matched, node }: SearchHit): string {
  return `{"kind":"hit","path":${pathJson(keys)},"matched":"${matched}","node":{${summaryFields(node)}}}\n`;
}

/** Returns a line that reports the progress of a long read, or its end with `done`. */
export function progressLine(
  kind: 'progress' | 'done',
  fields: Readonly<Record<string, number | boolean>>,
): string {
  return `${JSON.stringify({ kind, ...fields })}\n`;
}

function childJson({ key, node }: ChildSummary): string {
  const preview = node.kind === 'object' ? `,"preview":${JSON.stringify(node.preview)}` : '';
  return `{"key":${JSON.stringify(key)},${summaryFields(node)}${preview}}`;
}

function deniedChildJson({ key, node }: ChildSummary): string {
  const preview = node.kind === 'object' ? ',"preview":null' : '';
  return `{"key":${JSON.stringify(key)},${deniedFields(node)}${preview}}`;
}

/** The fields of any node, so that a reader that ignores the decision shows nothing. */
function deniedFields({ kind }: NodeSummary): string {
  const value =
    kind === 'object' ? '"kind":"object","childCount":null' : '"kind":"string","value":"","isCut":false';
  return `${value},"priority":null,"isRefused":true`;
}

function summaryFields(node: NodeSummary): string {
  const priority = `"priority":${priorityJson(node.priority)}`;
  if (node.kind === 'object') return `"kind":"object","childCount":${node.childCount},${priority}`;
  const { value, isCut } = node;
  const kind = typeof value === 'bigint' ? 'number' : typeof value;
  return `"kind":"${kind}","value":${scalarJson(value)},"isCut":${isCut},${priority}`;
}

function pathJson(keys: readonly Key[]): string {
  return JSON.stringify(`/${formatPath(keys)}`);
}
