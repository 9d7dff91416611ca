import { createRequire } from 'node:module';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { isReadAllowed, isWriteAllowed } from '@hearth/core/rules/evaluate/decide.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { NO_QUERY } from '@hearth/core/rules/evaluate/scope.ts';
import type { RuleView } from '@hearth/core/rules/evaluate/values.ts';
import { NodeTree, proposedView } from '@hearth/core/rules/evaluate/views.ts';
import { parseDraft } from '@hearth/core/tree/draft.ts';
import { parseKey } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import type { IndexValue } from '@hearth/core/tree/order.ts';
import { type Path, parsePathSegments, pathOf } from '@hearth/core/tree/path.ts';
import { readClockMs } from '../measure/time.ts';
import { CHAT_CASES, CHAT_NOW_MS, CHAT_RULES, type ChatCase, type ChatValue, chatData } from './chat.ts';

/** An operation on the chat. `uid` is `null` for anonymous clients. */
export interface ChatOperation {
  readonly uid: string | null;
  readonly path: Path;
  /** The current data. */
  readonly tree: RuleView;
  /** The data after the write; `null` for a read. */
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
 * Returns the decision of the chat's rules on an operation of `CHAT_CASES`, by handwritten code that reads the
 * necessary paths and does nothing else.
 */
function isAllowedByHand(operation: ChatOperation): boolean {
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

/** The chat's data, as rules read it. */
const TREE = new NodeTree(toNode(chatData(), 0));

/**
 * Returns the chat's rules with `siblings` additional, empty locations at every level. No operation reaches
 * them.
 */
export function chatRuleSet(siblings: number): RuleSet {
  return parseRules(JSON.stringify({ rules: withSiblings(CHAT_RULES, siblings) }));
}

/** Returns a function that decides one case by the rules. */
export function prepareByRules(rules: RuleSet, chatCase: ChatCase): () => boolean {
  const auth = chatCase.uid === null ? null : { uid: chatCase.uid };
  const path = parsePathSegments(chatCase.path);
  const common = { auth, now: CHAT_NOW_MS, tree: TREE };
  if (chatCase.kind === 'read') return () => isReadAllowed(rules, { ...common, path, query: NO_QUERY });
  const node = toNode(chatCase.value, path.length);
  return () => isWriteAllowed(rules, { ...common, writes: [{ kind: 'node', path, node }] });
}

/** Returns a function that decides one case by handwritten code. */
export function prepareByHand(chatCase: ChatCase): () => boolean {
  const path = parsePathSegments(chatCase.path);
  const common = { uid: chatCase.uid, path, tree: TREE, now: CHAT_NOW_MS };
  if (chatCase.kind === 'read') return () => isAllowedByHand({ ...common, after: null });
  const node = toNode(chatCase.value, path.length);
  return () => isAllowedByHand({ ...common, after: proposedView(TREE, [{ kind: 'node', path, node }]) });
}

function toNode(value: ChatValue, depth: number): TreeNode | null {
  const draft = parseDraft(value, depth);
  if (draft.kind === 'pending') throw new Error('The chat has no placeholders.');
  return draft.node;
}

type Rules = { readonly [name: string]: string | Rules };

function withSiblings(rules: Rules, count: number): Rules {
  const locations = Object.entries(rules).map(([name, value]) => [
    name,
    typeof value === 'object' ? withSiblings(value, count) : value,
  ]);
  const siblings = Array.from({ length: count }, (_, index) => [`x${index}`, {}]);
  const isLeaf = locations.every(([, value]) => typeof value !== 'object');
  return Object.fromEntries(isLeaf ? locations : [...locations, ...siblings]);
}

interface RuleDecision {
  readonly allowed: boolean;
}

/** The used part of the package `targaryen`. */
interface TargaryenDatabase {
  as(auth: { readonly uid: string } | null): TargaryenDatabase;
  read(path: string, options: { readonly now: number }): RuleDecision;
  write(path: string, value: ChatValue, priority: undefined, now: number): RuleDecision;
}

interface Targaryen {
  database(rules: unknown, data: ChatValue, now: number): TargaryenDatabase;
}

/**
 * The chat's rules in the package `targaryen`, which evaluates rules in memory. Throws if the package is not
 * installed.
 */
export class TargaryenPeer {
  readonly #database: TargaryenDatabase;

  constructor() {
    const require = createRequire(new URL('../../peers/package.json', import.meta.url));
    // The package has no types. The interface above declares the used part.
    const targaryen = require('targaryen') as Targaryen;
    this.#database = targaryen.database({ rules: CHAT_RULES }, chatData(), CHAT_NOW_MS);
  }

  /** Returns a function that decides one case. Sign-in happens in this call, not in the function. */
  prepare(chatCase: ChatCase): () => boolean {
    const { uid } = chatCase;
    const database = this.#database.as(uid === null ? null : { uid });
    const path = `/${chatCase.path.join('/')}`;
    if (chatCase.kind === 'read') return () => database.read(path, { now: CHAT_NOW_MS }).allowed;
    return () => database.write(path, chatCase.value, undefined, CHAT_NOW_MS).allowed;
  }
}

/** All cases, prepared to be decided repeatedly. */
export class DecisionLoop {
  readonly #decisions: readonly (() => boolean)[];

  /** Throws if a decision is wrong: the speed of wrong decisions is meaningless. */
  constructor(name: string, prepare: (chatCase: ChatCase) => () => boolean) {
    this.#decisions = CHAT_CASES.map(prepare);
    CHAT_CASES.forEach((chatCase, index) => {
      if (this.#decisions[index]?.() !== chatCase.isAllowed)
        throw new Error(`${name} decides a case wrongly: ${JSON.stringify(chatCase)}`);
    });
  }

  /** Decides all cases repeatedly for `durationMs`. Returns the time of one decision in µs. */
  run(durationMs: number): number {
    const startMs = readClockMs();
    let decided = 0;
    let nowMs = startMs;
    while (nowMs - startMs < durationMs) {
      for (const decide of this.#decisions) decide();
      decided += this.#decisions.length;
      nowMs = readClockMs();
    }
    return ((nowMs - startMs) * 1_000) / decided;
  }
}
