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

/** A link from a record to the user: a field with the user ID, or a list of users that has it as a key. */
interface Link {
  /** The child of the record. */
  readonly key: Key;
  readonly kind: 'field' | 'member';
  /** The value in the list for the user; `null` for a field, and for a value that is not a literal. */
  readonly value: string | number | boolean | null;
}

/** Names of lists of users. Being on another list, such as one of banned users, is no reason to allow anything. */
const MEMBER_LISTS: ReadonlySet<string> = new Set([
  'members',
  'participants',
  'users',
  'people',
  'players',
  'team',
  'owners',
  'authors',
  'editors',
  'moderators',
  'admins',
  'collaborators',
]);

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

function linkedReadConditions(denied: DeniedPath): readonly string[] {
  const { before, uid } = denied;
  return records(denied, MAX_LEVELS_UP).flatMap(({ node, up }) =>
    findLinks(before, before, node, uid).map((link) => printLink(`data${up}`, link)),
  );
}

function linkedWriteConditions(denied: DeniedPath, after: RuleView | null): readonly string[] {
  const { before, path, uid } = denied;
  const isCreated = before.findValue(path) === null;
  if (isCreated) return createConditions(denied, after);
  const isDeleted = after !== null && after.findValue(path) === null;
  const own = findLinks(before, before, path, uid)
    .filter(({ kind }) => kind === 'field')
    .map((link) => {
      const rest = isDeleted ? '!newData.exists()' : printLink('newData', link);
      return `${printLink('data', link)} && ${rest}`;
    });
  return [...own, ...linkedAbove(denied, 1)];
}

/** Conditions for a new record: the user is its author, or belongs to the record above it, or both. */
function createConditions(denied: DeniedPath, after: RuleView | null): readonly string[] {
  const { before, path, uid } = denied;
  const author = after === null ? [] : authorOf(after, before, path, uid);
  const above = linkedAbove(denied, MAX_LEVELS_UP);
  const parts = [...author.slice(0, 1), ...above.slice(0, 1)];
  return parts.length === 0 ? [] : [`!data.exists() && ${parts.join(' && ')}`];
}

/** The new record names the user in a field that the records next to it have, or in a field with a common name. */
function authorOf(after: RuleView, before: RuleTree, path: Path, uid: string): readonly string[] {
  const parent = pathOf(path.slice(0, -1));
  const sibling = path.length === 0 ? undefined : before.firstKeys(parent, 1)[0];
  const known = sibling === undefined ? [] : before.firstKeys(joinPaths(parent, [sibling]), MAX_CHILDREN);
  const fields = [...known, ...AUTHOR_FIELDS.filter(isKey)];
  const found = fields.find((key) => after.findValue(joinPaths(path, [key])) === uid);
  return found === undefined ? [] : [printLink('newData', { key: found, kind: 'field', value: null })];
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

function linkedAbove(denied: DeniedPath, maxUp: number): readonly string[] {
  const { before, path, uid } = denied;
  return records(denied, maxUp)
    .filter(({ node }) => node.length < path.length)
    .flatMap(({ node, up }) =>
      findLinks(before, before, node, uid)
        // The user must not be able to change the link itself.
        .filter(({ key }) => path[node.length] !== key)
        .map((link) => printLink(`data${up}`, link)),
    );
}

/**
 * Returns the records among the path and the nodes above it, each with the calls that lead there. A record is one of many
 * with the same rules, so its location ends in a wildcard. The children of other nodes may be records themselves, and a
 * link to one of them would allow all the others too.
 */
function records({ path, location }: DeniedPath, maxUp: number) {
  const found: { readonly node: Path; readonly up: string }[] = [];
  for (let up = 0; up <= maxUp && up < path.length; up++) {
    const length = path.length - up;
    if (location[length - 1]?.startsWith('$') === true)
      found.push({ node: pathOf(path.slice(0, length)), up: '.parent()'.repeat(up) });
  }
  return found;
}

function findLinks(keys: RuleTree, view: RuleView, node: Path, uid: string): readonly Link[] {
  const links: Link[] = [];
  for (const key of keys.firstKeys(node, MAX_CHILDREN)) {
    const child = joinPaths(node, [key]);
    const value = view.findValue(child);
    if (value === uid) links.push({ key, kind: 'field', value: null });
    else if (value === OBJECT && isKey(uid) && MEMBER_LISTS.has(key)) {
      const member = view.findValue(joinPaths(child, [uid]));
      if (member !== null && member !== false) links.push({ key, kind: 'member', value: literalOf(member) });
    }
  }
  return links;
}

function literalOf(value: unknown): Link['value'] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function printLink(snapshot: string, { key, kind, value }: Link): string {
  const child = `${snapshot}.child(${printString(key)})`;
  if (kind === 'field') return `${child}.val() === auth.uid`;
  const member = `${child}.child(auth.uid)`;
  if (value === null) return `${member}.exists()`;
  return `${member}.val() === ${typeof value === 'string' ? printString(value) : value}`;
}
