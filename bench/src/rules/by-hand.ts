import type { RuleView } from '@hearth/core/rules/rule-view.ts';
import { parseKey } from '@hearth/core/tree/key.ts';
import type { IndexValue } from '@hearth/core/tree/order.ts';
import { type Path, pathOf } from '@hearth/core/tree/path.ts';

/** What somebody wants to do. `uid` is `null` for guests. */
export interface ChatOperation {
  readonly uid: string | null;
  readonly path: Path;
  /** As it is. */
  readonly tree: RuleView;
  /** As a write would leave it; `null` for a read. */
  readonly after: RuleView | null;
  readonly now: number;
}

const NAME = parseKey('name');
const OWNER = parseKey('owner');
const AUTHOR = parseKey('author');
const TEXT = parseKey('text');
const TS = parseKey('ts');
const SPACES = parseKey('spaces');
const MEMBERS = parseKey('members');
const BANNED = parseKey('banned');

/**
 * The chat's rules as a programmer would write them for these operations: each place that the rules read is read once, and
 * nothing is done beside.
 */
export function isAllowedByHand(operation: ChatOperation): boolean {
  const { path, after } = operation;
  if (after === null) return path[0] === 'spaces' && path.length >= 2 && isMember(operation);
  if (path[0] === 'users') return mayWriteUser(operation, after);
  if (path[0] !== 'spaces' || path[2] !== 'rooms') return false;
  if (path[4] === 'title' && path.length === 5) return mayWriteTitle(operation, after);
  if (path[4] === 'messages' && path.length === 6) return mayWriteMessage(operation, after);
  return false;
}

function mayWriteUser({ path, uid }: ChatOperation, after: RuleView): boolean {
  const user = path[1];
  if (uid === null || user !== uid || path[2] !== 'status' || path.length !== 3) return false;
  if (after.findValue(pathOf([...path.slice(0, 2), NAME])) === null) return false;
  const status = after.findValue(path);
  return status === null || status === 'here' || status === 'away';
}

function mayWriteTitle({ tree, path, uid }: ChatOperation, after: RuleView): boolean {
  const space = path[1];
  if (space === undefined || tree.findValue(pathOf([SPACES, space, OWNER])) !== uid) return false;
  const title = after.findValue(path);
  return title === null || isShortText(title, 80);
}

function mayWriteMessage(operation: ChatOperation, after: RuleView): boolean {
  const { tree, path, uid, now } = operation;
  const space = path[1];
  if (uid === null || space === undefined || !isMember(operation)) return false;
  if (tree.findValue(pathOf([BANNED, space, parseKey(uid)])) !== null) return false;
  if (tree.findValue(path) !== null && tree.findValue(pathOf([...path, AUTHOR])) !== uid) return false;
  if (after.findValue(path) === null) return true;
  const ts = after.findValue(pathOf([...path, TS]));
  return (
    after.findValue(pathOf([...path, AUTHOR])) === uid &&
    isShortText(after.findValue(pathOf([...path, TEXT])), 1_000) &&
    typeof ts === 'number' &&
    ts <= now
  );
}

function isMember({ tree, path, uid }: ChatOperation): boolean {
  const space = path[1];
  if (uid === null || space === undefined) return false;
  return tree.findValue(pathOf([MEMBERS, space, parseKey(uid)])) !== null;
}

function isShortText(value: IndexValue, length: number): boolean {
  return typeof value === 'string' && value.length <= length;
}
