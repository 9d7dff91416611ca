import assert from 'node:assert/strict';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseDraft } from '@hearth/core/tree/draft.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { type Path, parsePath } from '@hearth/core/tree/path.ts';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { emulatorVerifier } from '../../access/emulator-verifier.ts';
import { ADMIN } from '../../access/principal.ts';
import { openSessionPools } from '../../platform/pools.fixture.ts';
import { OPEN_RULES } from '../../rules/publishing/versions.ts';
import { decodeNodeId } from '../../storage/kv/keys.ts';
import { applyCommit, type Commit, nodeWrite, type Seq, seqOf } from '../../storage/log/commit.ts';
import { StagedJson } from '../../storage/tree/builder.ts';
import { checkStore } from '../../storage/tree/check.ts';
import { reclaimStep } from '../../storage/tree/garbage.ts';
import { indexStep } from '../../storage/tree/index-build.ts';
import { indexesByPath, readIndexCatalog } from '../../storage/tree/index-catalog.ts';
import { findNode } from '../../storage/tree/read.ts';
import type { StoredTree } from '../../storage/tree/stored-tree.ts';
import { executeLink } from '../database/linked-write.ts';
import { Session } from '../protocol/session.ts';
import { Peer } from './peer.fixture.ts';
import { ModelServer } from './server.fixture.ts';
import type { ClientRequest, Fault, ModelEvent, Step } from './step.fixture.ts';
import { openTestServer, RecordingConnection, type TestServer } from './test-server.fixture.ts';

const DATABASE = 'model';

const RULES = [
  OPEN_RULES,
  '{"rules": {".read": true, ".write": true, ".indexOn": ["n", ".value"], "$k": {".indexOn": ["n", "n/a"]}}}',
  '{"rules": {".read": true, ".write": true, ".indexOn": "n/a", "a": {".indexOn": [".value", "n"], "b": {".indexOn": "n"}}}}',
  '{"rules": {".read": true, ".indexOn": "n", "a": {".write": "auth != null", ".indexOn": "n"}, "$k": {".write": true}}}',
  `{"rules": {".read": "auth != null || data.child('a').exists()", ".write": "newData.exists() || auth != null",
    "a": {".validate": "newData.hasChildren() || newData.isString() || newData.getPriority() == null"},
    "$k": {"$l": {".indexOn": "n", ".validate": "!data.exists() || newData.val() !== data.val() || root.child($k + '/n').isNumber()"}}}}`,
  `{"rules": {".read": "auth != null || query.orderByChild == 'n' || query.limitToFirst <= 3", ".write": "now >= data.val() || auth.uid != 'u'",
    "b": {".write": "newData.parent().child('a').exists()", ".validate": "newData.val() != 1"}}}`,
  '{"rules": {"a": {".read": "auth != null", ".write": true}, "b": {".read": true, ".write": false, ".indexOn": "n"}, "$k": {".read": true, ".write": true}}}',
] as const;

/**
 * Runs a history on a server in a directory and, at every transaction, on the model. Throws at the first
 * difference: in the tree in memory, the stored tree, the tree rebuilt from the log, a response, or a client's
 * cache at a response.
 */
export async function runHistory(directory: string, steps: readonly Step[]): Promise<void> {
  const run = new HistoryRun(directory);
  await run.open();
  try {
    for (const step of steps) await run.take(step);
    await run.finish();
  } finally {
    run.close();
  }
}

class HistoryRun {
  readonly #directory: string;
  readonly #model = new ModelServer(OPEN_RULES, () => this.#takeCommit());
  #server: TestServer | undefined;
  #peers = new Map<number, Peer>();
  /** Peers that left in the running transaction. */
  #departed: Peer[] = [];
  /** The actions of the model after the transaction, in the server's order. */
  #plan: (() => void)[] = [];
  #commits: Commit[] = [];
  #seq: Seq = seqOf(0);
  #replayed: TreeNode | null = null;
  /** The values that commits have left out. */
  readonly #linked = new Map<Seq, TreeNode>();
  #sessionCount = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async open(): Promise<void> {
    this.#server = await openTestServer(this.#directory, () => this.#model.nowMs);
  }

  close(): void {
    this.#server?.[Symbol.dispose]();
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'transaction':
        this.#model.nowMs += step.passedMs;
        await this.#transaction(step.events, step.fault);
        return;
      case 'identify': {
        const { server } = this;
        server.store.failNext(step.fault);
        this.#peer(step.client).identify(step.as);
        for (const request of step.next) if (request.kind !== 'leave') this.#request(step.client, request);
        // The server verifies the credential first.
        await new Promise(setImmediate);
        await this.#settle(undefined);
        return;
      }
      case 'retry':
        this.server.store.failNext(step.fault);
        await this.server.unfinished.retry();
        this.#plan.push(() => this.#model.retry());
        await this.#settle(undefined);
        return;
      case 'restart':
        if (step.isClean) await this.#leaveAll();
        this.close();
        await this.open();
        this.#peers.clear();
        this.#plan.push(() => this.#model.restart());
        await this.#settle(undefined);
        this.#checkReplay();
        return;
      default:
        step satisfies never;
    }
  }

  /** Ends all sessions and checks that nothing remains. */
  async finish(): Promise<void> {
    await this.#leaveAll();
    await this.take({ kind: 'retry', fault: { kind: 'none' } });
    const { scheduler, databases, store } = this.server;
    const { listens, readers } = databases.open(DATABASE);
    assert.equal(listens.count, 0, 'no listens are left');
    assert.equal([...listens.root.children].length, 0, 'no locations with listens are left');
    assert.equal(readers.size, 0, 'no readers are left');
    const waiting = store.read((tx) => [...tx.scan('sessions', {})].length);
    assert.equal(waiting, 0, 'no queues are left');
    await scheduler.request(({ tx }) => {
      while (indexStep(tx, 100) >= 100);
      while (reclaimStep(tx, 100) >= 100);
    });
    this.#checkStored();
    this.#checkReplay();
  }

  get server(): TestServer {
    assert.ok(this.#server !== undefined);
    return this.#server;
  }

  async #leaveAll(): Promise<void> {
    const events = [...this.#peers.keys()].map(
      (client): ModelEvent => ({ kind: 'request', client, request: { kind: 'leave' } }),
    );
    await this.#transaction(events, { kind: 'none' });
  }

  async #transaction(events: readonly ModelEvent[], fault: Fault): Promise<void> {
    this.server.store.failNext(fault);
    for (const modelEvent of events) this.#start(modelEvent);
    const mayBeUndone = fault.kind !== 'none' || events.some(({ kind }) => kind === 'bug');
    await this.#settle(events.length === 1 ? events[0] : undefined, mayBeUndone);
  }

  #start(modelEvent: ModelEvent): void {
    const { scheduler, databases } = this.server;
    switch (modelEvent.kind) {
      case 'request':
        this.#request(modelEvent.client, modelEvent.request);
        return;
      case 'rules': {
        const source = RULES[modelEvent.which % RULES.length] ?? OPEN_RULES;
        let outcome = 'unanswered';
        databases.writeRules(DATABASE, ADMIN, source).then(
          () => {
            outcome = 'ok';
          },
          (error: unknown) => {
            outcome = error instanceof RequestError ? error.code : String(error);
          },
        );
        this.#plan.push(() => {
          assert.equal(outcome, this.#model.isFull ? 'store/full' : 'ok');
          if (!this.#model.isFull) this.#model.replaceRules(source);
        });
        return;
      }
      case 'link':
        this.#link(parsePath(modelEvent.path), modelEvent.number);
        return;
      case 'work':
        scheduler.submit({
          run: ({ tx, isWritable }) => {
            if (!isWritable) return;
            reclaimStep(tx, modelEvent.entries);
            indexStep(tx, modelEvent.entries);
          },
          reject: (_transaction, requestError) => assert.fail(requestError),
        });
        return;
      case 'bug': {
        let hasFailed = false;
        scheduler.submit({
          run: () => {
            throw new Error('on purpose');
          },
          reject: () => {
            hasFailed = true;
          },
        });
        this.#plan.push(() => assert.ok(hasFailed, 'the submitter of the failing task receives an error'));
        return;
      }
      default:
        modelEvent satisfies never;
    }
  }

  #link(path: Path, number: number): void {
    const { scheduler, databases } = this.server;
    const node = largeNode(number);
    let outcome = 'unanswered';
    scheduler
      .request((transaction) => {
        transaction.assertWritable();
        const database = databases.open(DATABASE, transaction);
        const staged = new StagedJson({ path, timeMs: 0 });
        staged.scan(database.tree(transaction).buildTarget(), Buffer.from(exportJson(node)), true);
        assert.ok(staged.built !== undefined);
        const commit = executeLink(transaction, database, {
          operation: 'PUT',
          identity: ADMIN,
          targets: [{ path, built: staged.built }],
          catalog: database.tree(transaction).indexCatalog(),
        });
        return commit?.seq;
      })
      .then(
        (seq) => {
          outcome = 'ok';
          if (seq !== undefined) this.#linked.set(seq, node);
        },
        (error: unknown) => {
          outcome = error instanceof RequestError ? error.code : String(error);
        },
      );
    this.#plan.push(() => {
      assert.equal(outcome, this.#model.isFull ? 'store/full' : 'ok');
      if (!this.#model.isFull) this.#model.link(path, node);
    });
  }

  #peer(client: number): Peer {
    const known = this.#peers.get(client);
    if (known !== undefined) return known;
    const id = `s${String(this.#sessionCount++).padStart(6, '0')}`;
    const connection = new RecordingConnection();
    const { scheduler, databases, unfinished } = this.server;
    const session = new Session({
      id,
      database: databases.open(DATABASE),
      connection,
      scheduler,
      appChecks: NO_APP_CHECK,
      verifier: emulatorVerifier,
      nowMs: () => 0,
      unfinished,
      pools: openSessionPools(),
    });
    const peer = new Peer({
      session,
      connection,
      model: this.#model,
      modelSession: this.#model.openSession(id),
      plan: (act) => this.#plan.push(act),
    });
    this.#peers.set(client, peer);
    return peer;
  }

  #request(client: number, request: ClientRequest): void {
    const peer = this.#peer(client);
    peer.request(request);
    if (request.kind !== 'leave') return;
    this.#peers.delete(client);
    this.#departed.push(peer);
  }

  /**
   * Waits for the transaction, lets the model execute the same, and compares. `only` is the event if there was
   * exactly one. If the transaction `mayBeUndone` and runs again, clients that left during it do not receive
   * the effects of their own requests in it.
   */
  async #settle(only: ModelEvent | undefined, mayBeUndone = false): Promise<void> {
    const { scheduler, log, store } = this.server;
    await scheduler.drain();
    // Promises of the transaction's callers settle now.
    await new Promise(setImmediate);
    this.#model.isFull = store.hasFailed;
    this.#commits = [...log.read(DATABASE, this.#seq, Number.MAX_SAFE_INTEGER)];
    for (const act of this.#plan.splice(0)) act();
    assert.equal(this.#commits.length, 0, 'there are no further commits');
    this.#model.isFull = false;
    store.failNext({ kind: 'none' });
    for (const peer of this.#departed.splice(0)) peer.checkDeparted(!mayBeUndone);
    for (const peer of this.#peers.values()) peer.check(only);
    this.#checkStored();
  }

  #takeCommit(): Commit {
    const commit = this.#commits.shift();
    assert.ok(commit !== undefined, 'a commit is missing');
    assert.equal(commit.seq, this.#seq + 1, 'commits are numbered without gaps');
    this.#seq = commit.seq;
    return commit;
  }

  #checkStored(): void {
    this.server.store.read((tx) => {
      const record = tx.find('meta', Buffer.from(`database/${DATABASE}`));
      if (record === undefined) {
        assert.equal(this.#model.tree, null);
        return;
      }
      const holder = decodeNodeId(record);
      const stored: StoredTree = { holder, indexesAt: indexesByPath(readIndexCatalog(tx, holder)) };
      assert.equal(exportJson(findNode(tx, stored, [])), exportJson(this.#model.tree), 'the stored tree');
      assert.deepEqual(checkStore(tx, stored), []);
    });
  }

  /** Returns the commit together with the values that it leaves out. */
  #completed(commit: Commit): Pick<Commit, 'writes'> {
    const node = this.#linked.get(commit.seq);
    if (node === undefined) return commit;
    return { writes: commit.writes.map(({ path }) => nodeWrite(path, node)) };
  }

  #checkReplay(): void {
    const commits = this.server.log.read(DATABASE, seqOf(0), Number.MAX_SAFE_INTEGER);
    this.#replayed = commits.reduce(
      (node, commit) => applyCommit(node, this.#completed(commit)),
      null as TreeNode | null,
    );
    assert.equal(
      exportJson(this.#replayed),
      exportJson(this.#model.tree),
      'the tree rebuilt from its commits',
    );
  }
}

/** Returns a tree that spans several entries. */
function largeNode(number: number): TreeNode {
  const json = {
    a: { n: number, text: 'x'.repeat(1500) },
    b: { n: -number, text: 'y'.repeat(1500) },
    n: number,
  };
  const { node } = parseDraft(json, 0);
  assert.ok(node !== null);
  return node as TreeNode;
}
