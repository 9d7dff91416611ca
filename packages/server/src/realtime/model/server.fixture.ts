import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { parseQuery } from '@hearth/core/query/fields.ts';
import { indexName, isUnfiltered, type Query, queryView } from '@hearth/core/query/query.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { isDeniedByNewData, isReadAllowed, isWriteAllowed } from '@hearth/core/rules/evaluate/decide.ts';
import type { WriteOperation } from '@hearth/core/rules/evaluate/operation.ts';
import { indexOnAt, type RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { queryVariables } from '@hearth/core/rules/evaluate/scope.ts';
import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import { hashNode } from '@hearth/core/tree/digest.ts';
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
import { formatPath, joinPaths, type Path, parsePath, pathOf } from '@hearth/core/tree/path.ts';
import { ANONYMOUS, type Principal } from '../../access/principal.ts';
import {
  type Author,
  applyCommit,
  type Commit,
  nodeWrite,
  priorityWrite,
  type ValueWrite,
} from '../../storage/log/commit.ts';
import { type Interest, interestKey } from './client.fixture.ts';
import type { UpdateFields } from './step.fixture.ts';
import {
  describeWrite,
  hasConflict,
  ModelQueue,
  type ModelWrite,
  Overflow,
  parseFields,
  parseWrite,
  rank,
  sum,
} from './write-queue.fixture.ts';

/** A session in the model. */
export class ModelSession {
  readonly id: string;
  identity: Principal = ANONYMOUS;
  /** The stored principal of a session that has queued writes. */
  storedIdentity: Principal = ANONYMOUS;
  readonly interests = new Map<string, Interest>();
  queue = new ModelQueue();

  constructor(id: string) {
    this.id = id;
  }
}

/** The expected response to a request: its status, and for a read the data. */
export interface ModelResponse {
  readonly status: string;
  readonly shown?: TreeNode | null;
}

const OK: ModelResponse = { status: 'ok' };
const FULL: ModelResponse = { status: 'unavailable' };
const DENIED: ModelResponse = { status: 'permission_denied' };

export function hashOf(node: TreeNode | null): string {
  return hashNode(node, (text) => hash('sha1', text, 'base64'));
}

/**
 * The model of one database in memory. It executes requests one after the other and takes from the log the
 * commit that each request must have made.
 */
export class ModelServer {
  tree: TreeNode | null = null;
  rules: RuleSet;
  nowMs = 1_000_000;
  /** Whether the disk is full. */
  isFull = false;
  readonly sessions = new Map<string, ModelSession>();
  /** Sessions that have ended and whose queued writes wait for disk space. */
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

  put(session: ModelSession, path: string, json: string, expectedHash: string | undefined): ModelResponse {
    const write = parseWrite(path, json);
    return this.#write(session.identity, [write], write.path, expectedHash);
  }

  merge(
    session: ModelSession,
    base: string,
    fields: UpdateFields,
    expectedHash: string | undefined,
  ): ModelResponse {
    const writes = parseFields(base, fields);
    return hasConflict(writes)
      ? { status: 'failure' }
      : this.#write(session.identity, writes, parsePath(base), expectedHash);
  }

  listen(session: ModelSession, interest: Interest): ModelResponse {
    if (!this.#mayListen(session.identity, interest)) {
      session.interests.delete(interestKey(interest));
      return DENIED;
    }
    session.interests.set(interestKey(interest), interest);
    return OK;
  }

  unlisten(session: ModelSession, key: string): ModelResponse {
    session.interests.delete(key);
    return OK;
  }

  read(session: ModelSession, pathText: string, queryJson: string | null): ModelResponse {
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

  queueWrite(session: ModelSession, path: string, json: string): ModelResponse {
    return this.#queueAll(session, [parseWrite(path, json)]);
  }

  queueUpdate(session: ModelSession, base: string, fields: UpdateFields): ModelResponse {
    const writes = parseFields(base, fields);
    return hasConflict(writes) ? { status: 'failure' } : this.#queueAll(session, writes);
  }

  cancel(session: ModelSession, path: string): ModelResponse {
    if (this.isFull) return FULL;
    session.queue.cancel(parsePath(path));
    session.storedIdentity = session.identity;
    return OK;
  }

  /** Changes the session's principal. While the disk is full, the new principal is not stored. */
  identify(session: ModelSession, identity: Principal, response: ModelResponse): ModelResponse {
    session.identity = identity;
    if (!this.isFull) session.storedIdentity = identity;
    this.#revoke(session);
    return response;
  }

  /** Ends the session. Its queue is executed, or waits while the disk is full. */
  leave(session: ModelSession): void {
    session.interests.clear();
    if (!this.isFull) this.#execute(session, session.identity);
    else if (session.queue.writes.length > 0) this.#unfinished.push(session);
    else this.sessions.delete(session.id);
  }

  /** Executes the waiting queues unless the disk is still full. */
  retry(): void {
    if (this.isFull) return;
    for (const session of this.#unfinished.splice(0)) this.#execute(session, session.identity);
  }

  replaceRules(source: string): void {
    this.rules = parseRules(source);
    for (const session of this.sessions.values()) this.#revoke(session);
  }

  /** Applies an administrator's linked write, whose commit omits the value. */
  link(path: Path, node: TreeNode): void {
    const { writes, timeMs, author } = this.#takeCommit();
    assert.deepEqual(writes, [{ kind: 'linked', path }]);
    assert.deepEqual(author, { kind: 'admin' });
    this.#lastTimeMs = Math.max(this.nowMs, this.#lastTimeMs);
    assert.equal(timeMs, this.#lastTimeMs, 'time of the commit');
    this.tree = replaceAt(this.tree, path, node);
  }

  /** Restarts the server: all sessions end in the order of their ids, with their stored principals. */
  restart(): void {
    this.#unfinished = [];
    for (const session of [...this.sessions.values()].sort((a, b) => (a.id < b.id ? -1 : 1)))
      this.#execute(session, session.storedIdentity);
  }

  #execute(session: ModelSession, identity: Principal): void {
    this.sessions.delete(session.id);
    const { requests } = session.queue;
    const allowed =
      requests.length === 1 ? requests : requests.filter((writes) => this.#isAllowedAlone(identity, writes));
    const write = (writes: readonly ModelWrite[]): boolean =>
      this.#write(
        identity,
        writes.toSorted((a, b) => rank(a) - rank(b)),
        pathOf([]),
        undefined,
      ) === OK;
    if (allowed.length === 0 || write(allowed.flat())) return;
    for (const writes of allowed) write(writes);
  }

  #isAllowedAlone(identity: Principal, writes: readonly ModelWrite[]): boolean {
    const resolved = this.#resolveAll(writes, this.#timeMs);
    return resolved !== undefined && this.#isAllowed(identity, resolved);
  }

  #revoke(session: ModelSession): void {
    for (const [key, interest] of session.interests)
      if (!this.#mayListen(session.identity, interest)) session.interests.delete(key);
  }

  #queueAll(session: ModelSession, writes: readonly ModelWrite[]): ModelResponse {
    if (session.identity.kind !== 'admin') {
      const resolved = this.#resolveAll(writes, this.#timeMs);
      if (resolved === undefined) return { status: 'failure' };
      if (!this.#isAllowed(session.identity, resolved)) return DENIED;
    }
    if (this.isFull) return FULL;
    session.queue.addAll(writes);
    session.storedIdentity = session.identity;
    return OK;
  }

  #mayListen(identity: Principal, interest: Interest): boolean {
    return this.#mayRead(identity, interest.path, interest.kind === 'query' ? interest.query : null);
  }

  #mayRead(identity: Principal, path: Path, query: Query | null): boolean {
    if (identity.kind === 'admin') return true;
    const tree = new NodeTree(this.tree);
    const auth = identity.kind === 'user' ? identity.auth : null;
    return isReadAllowed(this.rules, { auth, now: this.nowMs, tree, path, query: queryVariables(query) });
  }

  #isAllowed(identity: Principal, writes: readonly ValueWrite[]): boolean {
    return identity.kind === 'admin' || isWriteAllowed(this.rules, this.#operation(identity, writes));
  }

  /** Returns whether a write is denied because of the value it would write. */
  #isDeniedByValue(identity: Principal, writes: readonly ValueWrite[]): boolean {
    return isDeniedByNewData(this.rules, this.#operation(identity, writes));
  }

  #operation(identity: Principal, writes: readonly ValueWrite[]): WriteOperation {
    const auth = identity.kind === 'user' ? identity.auth : null;
    return { auth, now: this.#timeMs, tree: new NodeTree(this.tree), writes };
  }

  /** Time of the next commit. */
  get #timeMs(): number {
    return Math.max(this.nowMs, this.#lastTimeMs);
  }

  #write(
    identity: Principal,
    writes: readonly ModelWrite[],
    at: Path,
    expectedHash: string | undefined,
  ): ModelResponse {
    if (this.isFull) return FULL;
    const timeMs = this.#timeMs;
    const resolved = this.#resolveAll(writes, timeMs);
    if (resolved === undefined) return { status: 'failure' };
    const isStale = expectedHash !== undefined && hashOf(nodeAt(this.tree, at)) !== expectedHash;
    if (!this.#isAllowed(identity, resolved)) {
      const isReportedStale =
        isStale && this.#mayRead(identity, at, null) && this.#isDeniedByValue(identity, resolved);
      return isReportedStale ? { status: 'datastale' } : DENIED;
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

  /**
   * Returns the effective writes. Removing an absent node and setting the priority of an absent node have no
   * effect.
   */
  #effectsOf(writes: readonly ValueWrite[]): ReadonlyMap<string, string> {
    const nodes = writes.filter(
      (write) => write.kind === 'node' && (write.node !== null || nodeAt(this.tree, write.path) !== null),
    );
    const after = applyCommit(this.tree, { writes: nodes });
    const priorities = writes.filter(
      (write) => write.kind === 'priority' && nodeAt(after, write.path) !== null,
    );
    const effects = [...nodes, ...priorities];
    return this.#combineCreated(writes, effects, applyCommit(after, { writes: priorities }));
  }

  /**
   * Merges all effects at and below a newly created node into one, because the order of the effects would
   * matter.
   */
  #combineCreated(
    writes: readonly ValueWrite[],
    effects: readonly ValueWrite[],
    after: TreeNode | null,
  ): ReadonlyMap<string, string> {
    const isRemoval = (write: ValueWrite): boolean => write.kind === 'node' && write.node === null;
    const removals = effects.filter(isRemoval);
    const emptied = applyCommit(this.tree, { writes: removals });
    const isCreated = (path: Path): boolean => nodeAt(emptied, path) === null && nodeAt(after, path) !== null;
    const upTo = (path: Path): readonly Path[] =>
      [...path, ''].map((_, depth) => pathOf(path.slice(0, depth)));
    const emptiedPaths = removals.map(({ path }) => upTo(path).find(isCreated));
    const withPriority = writes.filter(({ kind, path }) => kind === 'priority' && isCreated(path));
    const made = new Set(
      [...emptiedPaths, ...withPriority.map(({ path }) => path)].map((path) => path && formatPath(path)),
    );
    return new Map(
      effects.map((write) => {
        const location = upTo(write.path).find((path) => made.has(formatPath(path)));
        return location === undefined
          ? describeWrite(write)
          : [formatPath(location), exportJson(nodeAt(after, location))];
      }),
    );
  }
}

function authorOf(identity: Principal): Author {
  return identity.kind === 'user'
    ? { kind: 'user', uid: String(identity.auth['uid']) }
    : { kind: identity.kind === 'admin' ? 'admin' : 'guest' };
}
