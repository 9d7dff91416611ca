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
import { findKeyAfterSkipping, type Outline } from './child-outline.ts';

/** The rules, the principal and the time for deciding on reads. */
export interface ReadAuthorizer {
  readonly rules: RuleSet;
  /** `null` for anonymous principals. */
  readonly auth: AuthObject | null;
  readonly nowMs: number;
}

/** Returns a function that decides whether the principal may read a query at a path, in one state of the store. */
export function readCheck(
  tx: KvRead,
  stored: StoredTree,
  { rules, auth, nowMs }: ReadAuthorizer,
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
  | { readonly kind: 'denied'; readonly readableKeys: ReadonlySet<Key> };

/** Which children of a node to read, and at most how many. */
export interface PageRequest {
  readonly path: Path;
  readonly position: PagePosition;
  readonly limit: number;
  /** Maximum length of each preview, in UTF-16 code units. */
  readonly previewUnits?: number;
  /** Number of children at the position that the page leaves out, at most `MAX_SKIPPED`. Not for `before` and `last`. */
  readonly skipped?: number;
}

const READABLE: PageDecision = { kind: 'readable' };

/**
 * Reads a page. With an authorizer, also decides which part of it the principal may read, on the same state of
 * the store.
 */
export function readAuthorizedPage(
  tx: KvRead,
  stored: StoredTree,
  request: PageRequest,
  authorizer: ReadAuthorizer | undefined,
): ChildPage & { readonly pageDecision?: PageDecision } {
  const { path, limit, previewUnits } = request;
  const position = positionAfterSkipping(tx, stored, request);
  const page = readChildPage(tx, stored, path, position, limit, previewUnits);
  if (authorizer === undefined) return page;
  const keys = page.children.map(({ key }) => key);
  return {
    ...page,
    pageDecision: authorizePage(tx, stored, authorizer, { ...request, position }, keys),
  };
}

/** Returns the position of the first child that the request does not skip; the last page if it skips all children. */
function positionAfterSkipping(
  tx: KvRead,
  stored: StoredTree,
  { path, position, skipped = 0 }: PageRequest,
): PagePosition {
  if (skipped === 0 || position.kind === 'last' || position.kind === 'before') return position;
  const key = findKeyAfterSkipping(tx, stored, path, position, skipped);
  return key === undefined ? { kind: 'last' } : { kind: 'from', key };
}

/**
 * Decides whether the principal may read the whole node or the query that corresponds to the page. If not,
 * decides which of these children the principal may read.
 */
function authorizePage(
  tx: KvRead,
  stored: StoredTree,
  authorizer: ReadAuthorizer,
  { path, position, limit }: PageRequest,
  keys: readonly Key[],
): PageDecision {
  const mayRead = readCheck(tx, stored, authorizer);
  if (mayRead(path, NO_QUERY) || mayRead(path, queryVariables(pageQuery(position, limit)))) return READABLE;
  const readableKeys = new Set(keys.filter((key) => mayRead(joinPaths(path, [key]), NO_QUERY)));
  return { kind: 'denied', readableKeys };
}

/** Returns the query that selects exactly the children of a page. */
function pageQuery(position: PagePosition, limit: number): Query {
  const isFromRight = position.kind === 'last' || position.kind === 'before';
  return {
    index: { kind: 'key' },
    lower:
      position.kind === 'from' || position.kind === 'after'
        ? bound(position.key, position.kind === 'from')
        : null,
    upper: position.kind === 'before' ? bound(position.key, false) : null,
    limit,
    from: isFromRight ? 'right' : 'left',
  };
}

function bound(key: Key, isInclusive: boolean): Bound {
  return { value: null, key, isInclusive };
}

/**
 * Returns a page of children as JSON text. 64-bit integers keep every digit. With a decision, the text reveals
 * about an unreadable node only whether it is an object.
 */
export function childPageJson(
  { node, children, previous, next }: ChildPage,
  decision?: PageDecision,
): string {
  const isDenied = decision?.kind === 'denied';
  const items = children.map((child) =>
    isDenied && !decision.readableKeys.has(child.key) ? deniedChildJson(child) : childJson(child),
  );
  const summary = node === null ? 'null' : `{${isDenied ? deniedFields(node) : summaryFields(node)}}`;
  const deniedField = decision === undefined ? '' : `,"isDenied":${isDenied}`;
  return (
    `{"node":${summary},"children":[${items.join(',')}],` +
    `"previous":${JSON.stringify(previous)},"next":${JSON.stringify(next)}${deniedField}}`
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

/** Returns the line that ends an outline. */
export function outlineLine({ count, stride, keys }: Outline): string {
  return `${JSON.stringify({ kind: 'done', count, stride, keys })}\n`;
}

function childJson({ key, node }: ChildSummary): string {
  const preview = node.kind === 'object' ? `,"preview":${JSON.stringify(node.preview)}` : '';
  return `{"key":${JSON.stringify(key)},${summaryFields(node)}${preview}}`;
}

function deniedChildJson({ key, node }: ChildSummary): string {
  const preview = node.kind === 'object' ? ',"preview":null' : '';
  return `{"key":${JSON.stringify(key)},${deniedFields(node)}${preview}}`;
}

/**
 * Returns the fields of an unreadable node. No field is missing, so a client that ignores `isDenied` shows an
 * empty node.
 */
function deniedFields({ kind }: NodeSummary): string {
  const value =
    kind === 'object'
      ? '"kind":"object","childCount":0,"isCountPartial":false'
      : '"kind":"string","value":"","isCut":false';
  return `${value},"priority":null,"isDenied":true`;
}

function summaryFields(node: NodeSummary): string {
  const priority = `"priority":${priorityJson(node.priority)}`;
  if (node.kind === 'object')
    return `"kind":"object","childCount":${node.childCount},"isCountPartial":${node.isCountPartial},${priority}`;
  const { value, isCut } = node;
  const kind = typeof value === 'bigint' ? 'number' : typeof value;
  return `"kind":"${kind}","value":${scalarJson(value)},"isCut":${isCut},${priority}`;
}

function pathJson(keys: readonly Key[]): string {
  return JSON.stringify(`/${formatPath(keys)}`);
}
