import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { queryView } from '@hearth/core/query/evaluate.ts';
import { indexName, isUnfiltered, parseQuery, type Query } from '@hearth/core/query/query.ts';
import { isReadAllowed, isWriteAllowed } from '@hearth/core/rules/decide-operation.ts';
import { indexOnAt } from '@hearth/core/rules/find-rule.ts';
import { NodeTree } from '@hearth/core/rules/node-tree.ts';
import type { WriteOperation } from '@hearth/core/rules/operation.ts';
import { parseRules } from '@hearth/core/rules/parse-rules.ts';
import { queryVariables } from '@hearth/core/rules/query-variables.ts';
import { isRefusedForWritten } from '@hearth/core/rules/refused-for-written.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import { hashNode } from '@hearth/core/tree/digest.ts';
import { parseDraft, parsePriority } from '@hearth/core/tree/draft.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import {
  type DraftNode,
  nodeAt,
  type Priority,
  replaceAt,
  type ServerValue,
  type TreeNode,
} from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { canonicalNumber } from '@hearth/core/tree/number.ts';
import {
  formatPath,
  joinPaths,
  type Path,
  parsePath,
  parseWritePath,
  pathOf,
} from '@hearth/core/tree/path.ts';
import { applyCommit } from '../../commit/replay.ts';
import { GUEST, type Identity } from '../../identity/identity.ts';
import {
  type Author,
  type Commit,
  type CommitWrite,
  nodeWrite,
  priorityWrite,
  type ValueWrite,
  writePath,
} from '../../log/commit.ts';
import { type Interest, interestKey } from './model-client.ts';
import { ModelQueue, type ModelWrite } from './model-queue.ts';
import type { UpdateFields } from './step.ts';

/** What a session is to the model. */
export class ModelSession {
  readonly id: string;
  identity: Identity = GUEST;
  /** Who it is as far as the disk knows, once it has asked for something to be written. */
  storedIdentity: Identity = GUEST;
  readonly interests = new Map<string, Interest>();
  queue = new ModelQueue();

  constructor(id: string) {
    this.id = id;
  }
}

/** How a request is to be answered: its status, and for a read what is shown. */
export interface Verdict {
  readonly status: string;
  readonly shown?: TreeNode | null;
}

const OK: Verdict = { status: 'ok' };
const FULL: Verdict = { status: 'unavailable' };
const DENIED: Verdict = { status: 'permission_denied' };

export function hashOf(node: TreeNode | null): string {
  return hashNode(node, (text) => hash('sha1', text, 'base64'));
}

/** A node whose value or priority grew beyond all numbers. */
class Overflow extends Error {}

/**
 * One database as it ought to behave, in memory: decides requests one after the other, and takes from the log the
 * commit that each must have made.
 */
export class ModelServer {
  tree: TreeNode | null = null;
  rules: RuleSet;
  nowMs = 1_000_000;
  /** Nothing can be written now. */
  isFull = false;
  readonly sessions = new Map<string, ModelSession>();
  /** Those of them that are over, and have left something that there was no room to write. */
  #unfinished: ModelSession[] = [];
  #lastTimeMs = 0;
  readonly #takeCommit: () => Commit;

  constructor(rulesSource: string, takeCommit: () => Commit) {
    this.rules = parseRules(rulesSource);
    this.#takeCommit = takeCommit;
  }

  openSession(id: string): ModelSession {
    const session = new ModelSession(id);
    this.sessions.set(id, session);
    return session;
  }

  put(session: ModelSession, path: string, json: string, expectedHash: string | undefined): Verdict {
    const write = parseWrite(path, json);
    return this.#write(session.identity, [write], write.path, expectedHash);
  }

  merge(
    session: ModelSession,
    base: string,
    fields: UpdateFields,
    expectedHash: string | undefined,
  ): Verdict {
    const writes = parseFields(base, fields);
    return hasConflict(writes)
      ? { status: 'failure' }
      : this.#write(session.identity, writes, parsePath(base), expectedHash);
  }

  listen(session: ModelSession, interest: Interest): Verdict {
    if (!this.#mayListen(session.identity, interest)) {
      session.interests.delete(interestKey(interest));
      return DENIED;
    }
    session.interests.set(interestKey(interest), interest);
    return OK;
  }

  unlisten(session: ModelSession, key: string): Verdict {
    session.interests.delete(key);
    return OK;
  }

  read(session: ModelSession, pathText: string, queryJson: string | null): Verdict {
    const path = parsePath(pathText);
    const query = parseQuery(queryJson === null ? {} : parseJsonText(queryJson));
    const isPlain = isUnfiltered(query) && query.index.kind === 'priority';
    if (!this.#mayRead(session.identity, path, isPlain ? null : query)) return DENIED;
    const { kind } = query.index;
    const isIndexed =
      kind === 'key' || kind === 'priority' || indexOnAt(this.rules, path).includes(indexName(query.index));
    if (!isIndexed) return { status: 'error' };
    const node = nodeAt(this.tree, path);
    return { status: 'ok', shown: isUnfiltered(query) ? node : queryView(query, node) };
  }

  remember(session: ModelSession, path: string, json: string): Verdict {
    return this.#remember(session, [parseWrite(path, json)]);
  }

  rememberAll(session: ModelSession, base: string, fields: UpdateFields): Verdict {
    const writes = parseFields(base, fields);
    return hasConflict(writes) ? { status: 'failure' } : this.#remember(session, writes);
  }

  cancel(session: ModelSession, path: string): Verdict {
    if (this.isFull) return FULL;
    session.queue.forget(parsePath(path));
    session.storedIdentity = session.identity;
    return OK;
  }

  /** The session becomes somebody else, which a full disk does not learn. */
  identify(session: ModelSession, identity: Identity, verdict: Verdict): Verdict {
    session.identity = identity;
    if (!this.isFull) session.storedIdentity = identity;
    this.#revoke(session);
    return verdict;
  }

  /** The session is over. What it left to be written is written, or waits for room when the disk is full. */
  leave(session: ModelSession): void {
    session.interests.clear();
    if (!this.isFull) this.#execute(session, session.identity);
    else if (session.queue.writes.length > 0) this.#unfinished.push(session);
    else this.sessions.delete(session.id);
  }

  /** What waits for room is written, unless there still is none. */
  retry(): void {
    if (this.isFull) return;
    for (const session of this.#unfinished.splice(0)) this.#execute(session, session.identity);
  }

  replaceRules(source: string): void {
    this.rules = parseRules(source);
    for (const session of this.sessions.values()) this.#revoke(session);
  }

  /** An administrator puts a subtree in its place, which the commit does not hold. */
  link(path: Path, node: TreeNode): void {
    const { writes, timeMs, author } = this.#takeCommit();
    assert.deepEqual(writes, [{ kind: 'linked', path }]);
    assert.deepEqual(author, { kind: 'admin' });
    this.#lastTimeMs = Math.max(this.nowMs, this.#lastTimeMs);
    assert.equal(timeMs, this.#lastTimeMs, 'time of the commit');
    this.tree = replaceAt(this.tree, path, node);
  }

  /** The server starts again: all sessions are over, in the order of their ids, and are who the disk says. */
  restart(): void {
    this.#unfinished = [];
    for (const session of [...this.sessions.values()].sort((a, b) => (a.id < b.id ? -1 : 1)))
      this.#execute(session, session.storedIdentity);
  }

  #execute(session: ModelSession, identity: Identity): void {
    this.sessions.delete(session.id);
    const writes = session.queue.writes.toSorted((a, b) => rank(a) - rank(b));
    this.#write(identity, writes, pathOf([]), undefined);
  }

  #revoke(session: ModelSession): void {
    for (const [key, interest] of session.interests)
      if (!this.#mayListen(session.identity, interest)) session.interests.delete(key);
  }

  #remember(session: ModelSession, writes: readonly ModelWrite[]): Verdict {
    if (session.identity.kind !== 'admin') {
      const resolved = this.#resolveAll(writes, this.#timeMs);
      if (resolved === undefined) return { status: 'failure' };
      if (!this.#isAllowed(session.identity, resolved)) return DENIED;
    }
    if (this.isFull) return FULL;
    for (const write of writes) session.queue.remember(write);
    session.storedIdentity = session.identity;
    return OK;
  }

  #mayListen(identity: Identity, interest: Interest): boolean {
    return this.#mayRead(identity, interest.path, interest.kind === 'query' ? interest.query : null);
  }

  #mayRead(identity: Identity, path: Path, query: Query | null): boolean {
    if (identity.kind === 'admin') return true;
    const tree = new NodeTree(this.tree);
    const auth = identity.kind === 'user' ? identity.auth : null;
    return isReadAllowed(this.rules, { auth, now: this.nowMs, tree, path, query: queryVariables(query) });
  }

  #isAllowed(identity: Identity, writes: readonly ValueWrite[]): boolean {
    return identity.kind === 'admin' || isWriteAllowed(this.rules, this.#operation(identity, writes));
  }

  /** Is a write refused for what it would write? */
  #isForWritten(identity: Identity, writes: readonly ValueWrite[]): boolean {
    return isRefusedForWritten(this.rules, this.#operation(identity, writes));
  }

  #operation(identity: Identity, writes: readonly ValueWrite[]): WriteOperation {
    const auth = identity.kind === 'user' ? identity.auth : null;
    return { auth, now: this.#timeMs, tree: new NodeTree(this.tree), writes };
  }

  /** Time of the next commit. */
  get #timeMs(): number {
    return Math.max(this.nowMs, this.#lastTimeMs);
  }

  #write(
    identity: Identity,
    writes: readonly ModelWrite[],
    at: Path,
    expectedHash: string | undefined,
  ): Verdict {
    if (this.isFull) return FULL;
    const timeMs = this.#timeMs;
    const resolved = this.#resolveAll(writes, timeMs);
    if (resolved === undefined) return { status: 'failure' };
    const isStale = expectedHash !== undefined && hashOf(nodeAt(this.tree, at)) !== expectedHash;
    if (!this.#isAllowed(identity, resolved)) {
      const isToldStale =
        isStale && this.#mayRead(identity, at, null) && this.#isForWritten(identity, resolved);
      return isToldStale ? { status: 'datastale' } : DENIED;
    }
    if (isStale) return { status: 'datastale' };
    const effects = this.#effectsOf(resolved);
    if (effects.size === 0) return OK;
    const commit = this.#takeCommit();
    assert.deepEqual(
      new Map(commit.writes.map(describeWrite)),
      effects,
      'the commit holds the effects of the write',
    );
    assert.equal(commit.timeMs, timeMs, 'time of the commit');
    assert.deepEqual(commit.author, authorOf(identity));
    this.#lastTimeMs = timeMs;
    this.tree = applyCommit(this.tree, commit);
    return OK;
  }

  #resolveAll(writes: readonly ModelWrite[], timeMs: number): readonly ValueWrite[] | undefined {
    const value = (placeholder: ServerValue, base: unknown): number | bigint =>
      placeholder.kind === 'timestamp' ? timeMs : sum(base, placeholder.by);
    const priority = (wanted: Priority | ServerValue, path: Path): Priority =>
      wanted === null || typeof wanted !== 'object'
        ? wanted
        : Number(value(wanted, nodeAt(this.tree, path)?.priority));
    const resolve = (draft: DraftNode, path: Path): TreeNode => {
      const own = priority(draft.priority, path);
      if (draft.kind === 'inner') {
        const children = [...draft.children].map(([key, child]): [Key, TreeNode] => [
          key,
          resolve(child, joinPaths(path, [key])),
        ]);
        return { kind: 'inner', children: new Map(children), priority: own };
      }
      if (typeof draft.value !== 'object') return { kind: 'leaf', value: draft.value, priority: own };
      const before = nodeAt(this.tree, path);
      const base = before?.kind === 'leaf' ? before.value : null;
      return { kind: 'leaf', value: value(draft.value, base), priority: own };
    };
    try {
      return writes.map((write) => {
        const { path } = write;
        return write.kind === 'priority'
          ? priorityWrite(path, priority(write.priority, path))
          : nodeWrite(path, write.node === null ? null : resolve(write.node, path));
      });
    } catch (error) {
      if (error instanceof Overflow) return undefined;
      throw error;
    }
  }

  /** Removing nothing, and a priority for nothing, do nothing. */
  #effectsOf(writes: readonly ValueWrite[]): ReadonlyMap<string, string> {
    const nodes = writes.filter(
      (write) => write.kind === 'node' && (write.node !== null || nodeAt(this.tree, write.path) !== null),
    );
    const after = applyCommit(this.tree, { writes: nodes });
    const priorities = writes.filter(
      (write) => write.kind === 'priority' && nodeAt(after, write.path) !== null,
    );
    const effects = [...nodes, ...priorities];
    return this.#combineMade(writes, effects, applyCommit(after, { writes: priorities }));
  }

  /** All that is done at and below a node that is made anew is one effect, where the order of effects would matter. */
  #combineMade(
    writes: readonly ValueWrite[],
    effects: readonly ValueWrite[],
    after: TreeNode | null,
  ): ReadonlyMap<string, string> {
    const isRemoval = (write: ValueWrite): boolean => write.kind === 'node' && write.node === null;
    const removals = effects.filter(isRemoval);
    const emptied = applyCommit(this.tree, { writes: removals });
    const isMade = (path: Path): boolean => nodeAt(emptied, path) === null && nodeAt(after, path) !== null;
    const upTo = (path: Path): readonly Path[] =>
      [...path, ''].map((_, depth) => pathOf(path.slice(0, depth)));
    const emptiedPlaces = removals.map(({ path }) => upTo(path).find(isMade));
    const withPriority = writes.filter(({ kind, path }) => kind === 'priority' && isMade(path));
    const made = new Set(
      [...emptiedPlaces, ...withPriority.map(({ path }) => path)].map((path) => path && formatPath(path)),
    );
    return new Map(
      effects.map((write) => {
        const place = upTo(write.path).find((path) => made.has(formatPath(path)));
        return place === undefined
          ? describeWrite(write)
          : [formatPath(place), exportJson(nodeAt(after, place))];
      }),
    );
  }
}

function describeWrite(write: CommitWrite): [path: string, json: string] {
  return [writePath(write), write.kind === 'linked' ? 'linked' : write.json];
}

/** Exact where both are integers of 64 bits and so is their sum. */
function sum(base: unknown, by: number | bigint): number | bigint {
  if (typeof base !== 'number' && typeof base !== 'bigint') return by;
  if (isInteger(base) && isInteger(by)) {
    const exact = BigInt(base) + BigInt(by);
    if (BigInt.asIntN(64, exact) === exact) return canonicalNumber(exact);
  }
  const double = Number(base) + Number(by);
  if (!Number.isFinite(double)) throw new Overflow();
  return canonicalNumber(double);
}

function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function authorOf(identity: Identity): Author {
  return identity.kind === 'user'
    ? { kind: 'user', uid: String(identity.auth['uid']) }
    : { kind: identity.kind === 'admin' ? 'admin' : 'guest' };
}

function parseWrite(text: string, json: string): ModelWrite {
  const { path, isPriority } = parseWritePath(text);
  const value = parseJsonText(json);
  return isPriority
    ? { kind: 'priority', path, priority: parsePriority(value) }
    : { kind: 'node', path, node: parseDraft(value, path.length).node };
}

function parseFields(base: string, fields: UpdateFields): readonly ModelWrite[] {
  const writes = fields.map(([relative, json]) => parseWrite(`${base}/${relative}`, json));
  return writes.toSorted((a, b) => rank(a) - rank(b));
}

/** Removals come first, and priorities last. */
function rank(write: ModelWrite): number {
  if (write.kind === 'priority') return 2;
  return write.node === null ? 0 : 1;
}

function hasConflict(writes: readonly ModelWrite[]): boolean {
  const places = writes.map((write) => [...write.path, ...(write.kind === 'priority' ? ['.priority'] : [])]);
  return places.some((a, i) =>
    places.some((b, j) => i !== j && a.every((segment, depth) => segment === b[depth])),
  );
}
