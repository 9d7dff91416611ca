import assert from 'node:assert/strict';
import { parseQuery } from '@hearth/core/query/fields.ts';
import { type Query, queryView } from '@hearth/core/query/query.ts';
import { parseDraft, parsePriority } from '@hearth/core/tree/draft.ts';
import { canonicalJson, parseJsonText } from '@hearth/core/tree/json-text.ts';
import {
  childOf,
  nodeAt,
  type Priority,
  replaceAt,
  replacePriorityAt,
  type TreeNode,
} from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, isAtOrAbove, type Path, parseWritePath, pathOf } from '@hearth/core/tree/path.ts';
import { type Fields, isFields } from '@hearth/core/wire/client-messages.ts';

/** The data that a client listens to: a node, or the result of a query under a tag. */
export type Interest =
  | { readonly kind: 'default'; readonly path: Path }
  | {
      readonly kind: 'query';
      readonly path: Path;
      readonly query: Query;
      readonly queryJson: string;
      readonly tag: number;
    };

/** A listen with the client's cache, which is `undefined` until the client receives data. */
interface Listen {
  readonly interest: Interest;
  cache: TreeNode | null | undefined;
  isAcknowledged: boolean;
}

/** A request that waits for its response, and what the response means to the client. */
export type Outstanding =
  | { readonly kind: 'plain'; readonly id: number }
  /** `seed` is the client's cache before the listen. */
  | {
      readonly kind: 'listen';
      readonly id: number;
      readonly interest: Interest;
      readonly seed: TreeNode | null | undefined;
    }
  | { readonly kind: 'unlisten'; readonly id: number; readonly key: string };

export interface Response {
  readonly id: number;
  readonly status: string;
  readonly body: unknown;
}

export function interestKey(interest: Interest): string {
  return interest.kind === 'default' ? `/${formatPath(interest.path)}` : `tag ${interest.tag}`;
}

/** Returns the part of a tree that a listen shows. */
export function viewOf(interest: Interest, tree: TreeNode | null): TreeNode | null {
  const node = nodeAt(tree, interest.path);
  return interest.kind === 'default' ? node : queryView(interest.query, node);
}

/**
 * The cache of one client. Like the official clients, it applies whole messages in order and ignores updates below
 * children that it does not have. It knows only the messages that it received, and fails on messages that a client
 * could not handle.
 */
export class ModelClient {
  readonly #listens = new Map<string, Listen>();
  readonly #outstanding: Outstanding[] = [];
  /** Pushes since `startTransaction` by tag; pushes without a tag are under `undefined`. */
  readonly #pushes = new Map<number | undefined, number>();

  get interests(): readonly Interest[] {
    return [...this.#listens.values()].map((listen) => listen.interest);
  }

  get hasOutstanding(): boolean {
    return this.#outstanding.length > 0;
  }

  startTransaction(): void {
    this.#pushes.clear();
  }

  /**
   * The greatest number of pushes of any query in this transaction, and the number of pushes of default
   * listens.
   */
  get pushCounts(): { readonly perQuery: number; readonly untagged: number } {
    const perQuery = [...this.#pushes].filter(([tag]) => tag !== undefined).map(([, count]) => count);
    return { perQuery: Math.max(0, ...perQuery), untagged: this.#pushes.get(undefined) ?? 0 };
  }

  cacheOf(interest: Interest): TreeNode | null | undefined {
    return this.#listens.get(interestKey(interest))?.cache;
  }

  sent(outstanding: Outstanding): void {
    this.#outstanding.push(outstanding);
    if (this.#outstanding.length === 1) this.#startNext();
  }

  /** Removes requests that will never be executed because the client has left. */
  withdraw(ids: ReadonlySet<number>): void {
    const [first] = this.#outstanding;
    const left = this.#outstanding.filter(({ id }) => !ids.has(id));
    this.#outstanding.splice(0, this.#outstanding.length, ...left);
    if (first === undefined || first === left[0]) return;
    const key = first.kind === 'listen' ? interestKey(first.interest) : undefined;
    if (key !== undefined && this.#listens.get(key)?.isAcknowledged === false) this.#listens.delete(key);
    this.#startNext();
  }

  /** Receives a message and returns the response if it is one. */
  receive(text: string): Response | undefined {
    const envelope = requireFields(parseJsonText(text));
    assert.equal(envelope['t'], 'd');
    const payload = requireFields(envelope['d']);
    const body = requireFields(payload['b']);
    if (typeof payload['r'] === 'number') return this.#respond(payload['r'], body);
    switch (payload['a']) {
      case 'd':
        this.#overwrite(body, text);
        return undefined;
      case 'm':
        this.#merge(body, text);
        return undefined;
      case 'c':
        this.#revoke(body, text);
        return undefined;
      default:
        assert.fail(`not a push: ${text}`);
    }
  }

  /** Fails unless every acknowledged listen shows exactly what the tree contains. */
  check(tree: TreeNode | null): void {
    for (const { interest, cache, isAcknowledged } of this.#listens.values()) {
      if (!isAcknowledged) continue;
      const what = interest.kind === 'default' ? '' : ` ${interest.queryJson}`;
      assert.notEqual(
        cache,
        undefined,
        `the client received no data for /${formatPath(interest.path)}${what}`,
      );
      assert.equal(
        exportJson(cache ?? null),
        exportJson(viewOf(interest, tree)),
        `cache of /${formatPath(interest.path)}${what}`,
      );
    }
  }

  #respond(id: number, body: Fields): Response {
    const outstanding = this.#outstanding.shift();
    assert.equal(outstanding?.id, id, 'responses come in the order of requests');
    const status = String(body['s']);
    if (outstanding?.kind === 'listen') {
      const key = interestKey(outstanding.interest);
      const listen = this.#listens.get(key);
      if (status !== 'ok') this.#listens.delete(key);
      else if (listen !== undefined) listen.isAcknowledged = true;
    }
    if (outstanding?.kind === 'unlisten') this.#listens.delete(outstanding.key);
    this.#startNext();
    return { id, status, body: body['d'] };
  }

  /** Adds the listen of the next request. Messages that arrive before the response may already belong to this listen. */
  #startNext(): void {
    const next = this.#outstanding[0];
    if (next?.kind !== 'listen') return;
    const key = interestKey(next.interest);
    if (this.#listens.has(key)) return;
    this.#listens.set(key, { interest: next.interest, cache: next.seed, isAcknowledged: false });
  }

  #overwrite(body: Fields, text: string): void {
    const { path, isPriority } = parseWritePath(String(body['p']));
    const change: Change = isPriority
      ? { kind: 'priority', path, priority: parsePushedPriority(body['d']) }
      : { kind: 'node', path, node: parsePushedNode(body['d']) };
    this.#apply([change], path, body['t'], text);
  }

  #merge(body: Fields, text: string): void {
    const { path } = parseWritePath(String(body['p']));
    const fields = requireFields(body['d']);
    const changes = Object.keys(fields).map((relative): Change => {
      const target = parseWritePath(relative);
      const at = pathOf([...path, ...target.path]);
      return target.isPriority
        ? { kind: 'priority', path: at, priority: parsePushedPriority(fields[relative]) }
        : { kind: 'node', path: at, node: parsePushedNode(fields[relative]) };
    });
    assert.ok(changes.length > 0, `an empty merge: ${text}`);
    this.#apply(changes, path, body['t'], text);
  }

  #apply(changes: readonly Change[], base: Path, tag: unknown, text: string): void {
    if (tag !== undefined) {
      assert.ok(typeof tag === 'number', text);
      this.#count(tag);
      const listen = this.#listens.get(`tag ${tag}`);
      assert.ok(listen !== undefined, `no such tag: ${text}`);
      assert.ok(isAtOrAbove(listen.interest.path, base), `above every listen: ${text}`);
      listen.cache = applyToQuery(listen, changes);
      return;
    }
    this.#count(undefined);
    const defaults = [...this.#listens.values()].filter(({ interest }) => interest.kind === 'default');
    assert.ok(
      defaults.some(({ interest }) => isAtOrAbove(interest.path, base)),
      `no listen at this path: ${text}`,
    );
    for (const listen of defaults) listen.cache = applyToDefault(listen, changes);
  }

  #count(tag: number | undefined): void {
    this.#pushes.set(tag, (this.#pushes.get(tag) ?? 0) + 1);
  }

  #revoke(body: Fields, text: string): void {
    const path = String(body['p']);
    const queries = body['q'];
    const [first] = Array.isArray(queries) ? queries : [];
    for (const [key, { interest }] of this.#listens) {
      if (formatPath(interest.path) !== path) continue;
      if (queries === undefined ? interest.kind !== 'default' : !isQuery(interest, first)) continue;
      this.#listens.delete(key);
      // A repeated listen without a response yet is a different one.
      this.#startNext();
      return;
    }
    assert.fail(`no such listen: ${text}`);
  }
}

type Change =
  | { readonly kind: 'node'; readonly path: Path; readonly node: TreeNode | null }
  | { readonly kind: 'priority'; readonly path: Path; readonly priority: Priority };

function applyToDefault(
  { interest, cache }: Listen,
  changes: readonly Change[],
): TreeNode | null | undefined {
  let after = cache;
  for (const change of changes) {
    if (change.kind === 'node' && isAtOrAbove(change.path, interest.path))
      after = nodeAt(change.node, interest.path.slice(change.path.length));
    else if (after !== undefined && isAtOrAbove(interest.path, change.path))
      after = applyChange(after, change, interest.path.length);
  }
  return after;
}

function applyToQuery({ interest, cache }: Listen, changes: readonly Change[]): TreeNode | null | undefined {
  const depth = interest.path.length;
  let after = cache;
  for (const change of changes) {
    const isDeep = change.path.length > depth + 1 || change.kind === 'priority';
    const key = change.path[depth];
    if (key === undefined) {
      assert.equal(change.kind, 'node', 'a query does not contain the priority of its own path');
      after = change.kind === 'node' ? change.node : after;
    } else if (after !== undefined && !(isDeep && childOf(after, key) === null))
      after = applyChange(after, change, depth);
  }
  return after;
}

function applyChange(node: TreeNode | null, change: Change, depth: number): TreeNode | null {
  const relative = change.path.slice(depth);
  return change.kind === 'node'
    ? replaceAt(node, relative, change.node)
    : replacePriorityAt(node, relative, change.priority);
}

function isQuery(interest: Interest, queryObject: unknown): boolean {
  return (
    interest.kind === 'query' &&
    canonicalJson(parseJsonText(interest.queryJson)) === canonicalJson(queryObject)
  );
}

function parsePushedNode(json: unknown): TreeNode | null {
  const draft = parseDraft(json, 0);
  assert.ok(draft.kind === 'resolved', 'placeholders are not pushed');
  return draft.node;
}

function parsePushedPriority(json: unknown): Priority {
  const priority = parsePriority(json);
  assert.ok(priority === null || typeof priority !== 'object', 'placeholders are not pushed');
  return priority;
}

function requireFields(json: unknown): Fields {
  assert.ok(isFields(json), `not an object: ${String(json)}`);
  return json;
}

/** Returns an interest as the client states it. */
export function interestOf(path: Path, queryJson: string | null, tag: number): Interest {
  return queryJson === null
    ? { kind: 'default', path }
    : { kind: 'query', path, query: parseQuery(parseJsonText(queryJson)), queryJson, tag };
}
