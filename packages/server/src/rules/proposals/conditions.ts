import type { QueryVariables, RuleTree, RuleView } from '@hearth/core/rules/evaluate/values.ts';
import { printString } from '@hearth/core/rules/syntax/lexer.ts';
import { isKey, type Key } from '@hearth/core/tree/key.ts';
import { OBJECT } from '@hearth/core/tree/order.ts';
import { joinPaths, type Path, pathOf } from '@hearth/core/tree/path.ts';

/** A denied path of an operation of a signed-in user. */
export interface DeniedPath {
  readonly path: Path;
  readonly uid: string;
  /** The names of the path in the rules, as `locationOfPath` returns them. */
  readonly location: readonly string[];
  /** The data before the operation. */
  readonly before: RuleTree;
  /** What the operation does there. */
  readonly action:
    | { readonly kind: 'read'; readonly query: QueryVariables }
    /** `after` is the data with the writes; `null` if the value is not known. */
    | { readonly kind: 'write'; readonly after: RuleView | null };
}

/** Number of children of a node that are searched for the user. */
const MAX_CHILDREN = 50;

/** Number of levels above the denied path whose children are searched. */
const MAX_LEVELS_UP = 2;

/** A link from the data to the user: a child that holds the user ID, or that has it as a key. */
interface Link {
  /** The child of the record. */
  readonly key: Key;
  readonly kind: 'field' | 'member';
  /** Whether the member is stored as `true`. */
  readonly isTrue: boolean;
}

/**
 * Returns conditions for the denied path that hold for this user because of who the user is, the tightest first. None
 * holds for every user: each compares `auth.uid` with the query, the path, or the data.
 */
export function findConditions(denied: DeniedPath): readonly string[] {
  const own = ownPathConditions(denied);
  const { action } = denied;
  if (action.kind === 'read') {
    const query = queryConditions(action.query, denied.uid);
    return own.length > 0 ? own : [...query, ...linkedReadConditions(denied)];
  }
  return own.length > 0 ? own : linkedWriteConditions(denied, action.after);
}

/** `auth.uid === $uid`, if the path has the user's ID. */
function ownPathConditions({ path, location, uid }: DeniedPath): readonly string[] {
  const names = location.filter((name, depth) => name.startsWith('$') && path[depth] === uid);
  return names.slice(0, 1).map((name) => `auth.uid === ${name}`);
}

/** A query for the user's own records. */
function queryConditions({ orderByChild, equalTo }: QueryVariables, uid: string): readonly string[] {
  return orderByChild !== null && equalTo === uid
    ? [`query.orderByChild === ${printString(orderByChild)} && query.equalTo === auth.uid`]
    : [];
}

function linkedReadConditions({ before, path, uid }: DeniedPath): readonly string[] {
  return levels(path, MAX_LEVELS_UP).flatMap(({ node, up }) =>
    findLinks(before, before, node, uid).map((link) => printLink(`data${up}`, link)),
  );
}

function linkedWriteConditions({ before, path, uid }: DeniedPath, after: RuleView | null): readonly string[] {
  const isCreated = before.findValue(path) === null;
  if (isCreated) return createConditions(before, after, path, uid);
  const isDeleted = after !== null && after.findValue(path) === null;
  const own = findLinks(before, before, path, uid)
    .filter(({ kind }) => kind === 'field')
    .map((link) => {
      const rest = isDeleted ? '!newData.exists()' : printLink('newData', link);
      return `${printLink('data', link)} && ${rest}`;
    });
  return [...own, ...linkedAbove(before, path, uid, 1)];
}

/** Conditions for a new record: the user is its author, or belongs to the record above it, or both. */
function createConditions(
  before: RuleTree,
  after: RuleView | null,
  path: Path,
  uid: string,
): readonly string[] {
  const author = after === null ? [] : authorOf(after, before, path, uid);
  const above = linkedAbove(before, path, uid, MAX_LEVELS_UP);
  const parts = [...author.slice(0, 1), ...above.slice(0, 1)];
  return parts.length === 0 ? [] : [`!data.exists() && ${parts.join(' && ')}`];
}

/** The new record names the user in one of the fields that records beside it have, or in a field with a common name. */
function authorOf(after: RuleView, before: RuleTree, path: Path, uid: string): readonly string[] {
  const parent = pathOf(path.slice(0, -1));
  const sibling = path.length === 0 ? undefined : before.firstKeys(parent, 1)[0];
  const known = sibling === undefined ? [] : before.firstKeys(joinPaths(parent, [sibling]), MAX_CHILDREN);
  const fields = [...known, ...AUTHOR_FIELDS.filter(isKey)];
  const found = fields.find((key) => after.findValue(joinPaths(path, [key])) === uid);
  return found === undefined ? [] : [printLink('newData', { key: found, kind: 'field', isTrue: false })];
}

/** Names of fields with the user ID of a record's author or owner. */
const AUTHOR_FIELDS = [
  'uid',
  'userId',
  'user',
  'owner',
  'ownerId',
  'author',
  'authorId',
  'createdBy',
  'sender',
  'senderId',
  'from',
];

function linkedAbove(tree: RuleTree, path: Path, uid: string, maxUp: number): readonly string[] {
  return levels(path, maxUp)
    .slice(1)
    .flatMap(({ node, up }) =>
      findLinks(tree, tree, node, uid)
        // The user must not be able to change the link itself.
        .filter(({ key }) => path[node.length] !== key)
        .map((link) => printLink(`data${up}`, link)),
    );
}

/** The path and the nodes above it, without the root, each with the calls that lead there. */
function levels(path: Path, maxUp: number): readonly { readonly node: Path; readonly up: string }[] {
  const found: { readonly node: Path; readonly up: string }[] = [];
  for (let up = 0; up <= maxUp && up < path.length; up++)
    found.push({ node: pathOf(path.slice(0, path.length - up)), up: '.parent()'.repeat(up) });
  return found;
}

function findLinks(keys: RuleTree, view: RuleView, node: Path, uid: string): readonly Link[] {
  const links: Link[] = [];
  for (const key of keys.firstKeys(node, MAX_CHILDREN)) {
    const child = joinPaths(node, [key]);
    const value = view.findValue(child);
    if (value === uid) links.push({ key, kind: 'field', isTrue: false });
    else if (value === OBJECT && isKey(uid)) {
      const member = view.findValue(joinPaths(child, [uid]));
      if (member !== null && member !== false) links.push({ key, kind: 'member', isTrue: member === true });
    }
  }
  return links;
}

function printLink(snapshot: string, { key, kind, isTrue }: Link): string {
  const child = `${snapshot}.child(${printString(key)})`;
  if (kind === 'field') return `${child}.val() === auth.uid`;
  return `${child}.child(auth.uid).${isTrue ? 'val() === true' : 'exists()'}`;
}
