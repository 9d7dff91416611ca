import { RequestError } from '@hearth/core/error/request-error.ts';
import { type ClientMessage, parseClientMessage } from '@hearth/core/wire/client-messages.ts';
import { ANONYMOUS, type Principal } from '../../access/principal.ts';
import type { Credential, CredentialVerifier } from '../../access/verifier.ts';
import type { OutgoingMessage, PendingText } from '../../storage/transaction/outgoing-message.ts';
import type { Task, TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { type Database, type PendingScan, PostponedRequest, type ScanMemory } from '../database/database.ts';
import { openDisconnectBytes, storePrincipal } from '../disconnect/queue.ts';
import type { ActionSession, SessionOptions } from './action.ts';
import { ACTIONS, listenChecker } from './actions.ts';
import type { Connection, DrainListener, MessageReceiver } from './connection.ts';
import { MessageOutput } from './held-messages.ts';
import { runCounted } from './profiled-request.ts';
import {
  authenticatedJson,
  CREDENTIAL_REVOKED,
  DROPPED,
  describeQueued,
  errorResponse,
  failing,
  heldValuesRequest,
  isForClient,
  isPrepared,
  okResponse,
  PONG,
  postpone,
  type Queued,
  type QueuedRequest,
  queueCredential,
  queueRequest,
  recordLatencies,
  stopWaiting,
  UNKNOWN,
  type Verified,
} from './queued-request.ts';
import { SessionAppCheck } from './session-app-check.ts';
import { SessionEnd } from './session-end.ts';
import { SessionIdentity } from './session-identity.ts';
import { SessionListens } from './session-listens.ts';
import { WaitingLimits } from './waiting-limits.ts';

/**
 * One logical connection of a client: its principal, its listens and its requests, which are executed one at a
 * time in the order of arrival. It ends once; its queued writes are then executed.
 *
 * The session is its own task: every request submits it once, and each run executes the next request. So the
 * requests of all clients run in the order of arrival, and a client that does not read its responses delays
 * only itself.
 */
export class Session implements ActionSession, DrainListener, MessageReceiver, Task {
  readonly id: string;
  readonly database: Database;
  readonly listens: SessionListens;
  readonly appCheck: SessionAppCheck;
  readonly disconnectBytes: ActionSession['disconnectBytes'];
  readonly stagedWrites: ActionSession['stagedWrites'];
  readonly #output: MessageOutput;
  readonly #limits: WaitingLimits;
  /** The name that the client reports for itself; `null` until it has reported one. */
  sdk: string | null = null;
  scan: PendingScan | undefined;
  readonly #identity: SessionIdentity;
  #connection: Connection;
  readonly #scheduler: TransactionScheduler;
  readonly #verifier: CredentialVerifier;
  readonly #end: SessionEnd;
  #queue: Queued[] = [];
  /** Number of queued items that were executed by transactions whose results have not been sent yet. */
  #done = 0;
  /** The transaction that last executed an item of the queue. */
  #transaction: WriteTransaction | undefined;
  #isStarted: boolean;
  /** `ending`: accepts no further messages, but executes the queued ones. `over`: has executed the last one. */
  #phase: 'open' | 'ending' | 'over' = 'open';

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.database = options.database;
    this.listens = new SessionListens(options.database.listens, this, this, options.pools.listens);
    this.stagedWrites = options.stagedWrites ?? null;
    this.#output = new MessageOutput(this, options.pools.messages);
    this.#limits = new WaitingLimits(this, options.pools.messages);
    this.disconnectBytes = openDisconnectBytes(options.pools.disconnectWrites, this);
    this.#connection = options.connection;
    this.#scheduler = options.scheduler;
    this.#verifier = options.verifier;
    this.appCheck = new SessionAppCheck(this, options);
    this.#end = new SessionEnd(this, options.unfinished, () => options.onOver?.(this));
    this.#identity = new SessionIdentity(options.nowMs, () => this.revokeCredential());
    this.#isStarted = options.startAfter === undefined;
    this.database.readers.add(this);
    this.database.profiler?.record({ name: 'concurrent-connect' });
    this.#connection.onDrained(this);
    this.#connection.countIn(this.database.activity);
    void options.startAfter?.then(() => {
      this.#isStarted = true;
      this.#submitAll();
    });
  }
  /** Settles once the session has finished its work. */
  get over(): Promise<void> {
    return this.#end.over;
  }
  get identity(): Principal {
    return this.#identity.current;
  }
  get messageMemory(): ScanMemory {
    return this.#output.memory;
  }
  expectPending(transaction: WriteTransaction): void {
    this.#output.expectPending(transaction);
  }
  get canReceive(): boolean {
    return !this.#output.isHolding && !this.#connection.isFull;
  }
  get network(): string {
    return this.#connection.network;
  }
  get connection(): Connection {
    return this.#connection;
  }
  drained(): void {
    this.#submitAll();
  }
  deliver(messages: readonly OutgoingMessage[]): void {
    this.#output.deliver(messages);
  }

  /** Moves to another connection of the same client. The old one receives no further messages. */
  moveTo(connection: Connection): void {
    if (this.#phase !== 'open') return;
    this.#connection = connection;
    connection.onDrained(this);
    connection.countIn(this.database.activity);
    this.#limits.moved();
    this.#submitAll();
  }

  receive(text: string): void {
    if (this.#phase === 'open') this.accept(parseClientMessage(text));
  }

  /** Accepts one message. */
  accept(message: ClientMessage): void {
    if (this.#phase !== 'open') return;
    switch (message.kind) {
      case 'ping':
        // A pong is sent in order with responses, so that it confirms that all earlier requests were executed.
        this.#enqueue(message);
        return;
      case 'request': {
        const action = ACTIONS.get(message.action);
        if (action?.kind === 'credential') this.#enqueueCredential(message.id, action.parse(message.body));
        else this.#enqueue(queueRequest(message, action ?? UNKNOWN, this.database.elapsedMs()));
        return;
      }
      // For the transports.
      case 'switch':
      case 'end-of-transmission':
      case 'unknown':
        return;
      default:
        message satisfies never;
    }
  }

  run(transaction: WriteTransaction): void {
    const next = this.#queue[this.#done];
    if (next === undefined) {
      if (this.#mayFinish) this.#finish(transaction);
      return;
    }
    // The session is submitted again when the item becomes ready.
    if (!this.#isReady(next)) return;
    this.#onDone(transaction);
    switch (next.kind) {
      case 'ping':
        transaction.send(this, PONG);
        return;
      case 'dropped':
        return;
      case 'request':
        if (next.isUnchecked || this.appCheck.admits(transaction)) this.#execute(transaction, next);
        return;
      case 'credential':
        this.#answer(transaction, next.id, () => this.#authenticate(transaction, next.outcome));
        return;
      default:
        next satisfies never;
    }
  }

  describe(): string {
    return describeQueued(this.database, this.#queue[this.#done - 1]);
  }

  reject(transaction: WriteTransaction, requestError: RequestError): void {
    const next = this.#queue[this.#done];
    if (next === undefined) {
      if (!this.#mayFinish) return;
      this.#enterOver(transaction);
      transaction.onCommit(() => this.#end.postpone(this.#identity.last));
      return;
    }
    this.#onDone(transaction);
    transaction.onCommit(() => stopWaiting(next));
    if ('id' in next) this.#answer(transaction, next.id, failing(requestError));
  }

  changeIdentity(transaction: WriteTransaction, identity: Principal): void {
    this.#identity.change(transaction, identity);
    storePrincipal(transaction, this.id, identity);
    this.listens.recheck(transaction, this, this.database);
  }

  /**
   * Notifies the client that its credential has been revoked, and ends the session. The client reconnects with
   * another credential and cannot send requests until then. No listen is reported as revoked, so that the app
   * does not notice. Does nothing for an anonymous session.
   */
  revokeCredential(): void {
    if (this.#phase !== 'open' || this.#identity.isAnonymous) return;
    const sent = this.#scheduler.request((transaction) => transaction.send(this, CREDENTIAL_REVOKED));
    void sent.catch(() => undefined).then(() => this.end());
  }

  /**
   * Makes the session anonymous, because the account of its principal was deleted. An app that deletes its own account
   * signs out at the same time; in that case, the connection continues. Otherwise the client is notified after a
   * moment, and the session ends.
   */
  dropIdentity(): void {
    this.#whileSame((transaction) => {
      this.#identity.drop(transaction);
      this.listens.recheck(transaction, this, this.database);
    });
  }

  /** Makes the session anonymous, because its client can receive no other credential. The connection continues. */
  signOut(): void {
    this.#whileSame((transaction) => this.changeIdentity(transaction, ANONYMOUS));
  }

  get unchecked(): SessionListens['unchecked'] {
    return this.listens.unchecked;
  }
  beginChecks(transaction: WriteTransaction): void {
    const queueHeldValues = (): void => this.#enqueue(heldValuesRequest(this.database.elapsedMs()));
    this.listens.beginChecks(transaction, listenChecker(this, queueHeldValues));
  }
  readChecks(): ReturnType<SessionListens['readChecks']> {
    return this.listens.readChecks();
  }

  /**
   * Ends the session: executes its earlier requests, then its queued writes. Drops requests that wait for a
   * credential that is not verified yet, because their principal is not known. Idempotent.
   */
  end(): void {
    if (this.#phase !== 'open') return;
    this.#phase = 'ending';
    const pending = this.#queue.findIndex((item) => item.kind === 'credential' && item.outcome === undefined);
    if (pending >= 0) this.#queue.length = pending;
    for (const item of this.#queue) if (isForClient(item)) stopWaiting(item);
    this.#output.stop();
    // The client cannot receive responses. Dropped items keep their positions, so that the others stay in order.
    this.#queue = this.#queue.map((item, index) =>
      index >= this.#done && isForClient(item) ? DROPPED : item,
    );
    this.#submitAll();
    this.#connection.close();
  }

  /** Ends the session and drops its requests from the first long one on, because they take memory until then. */
  evict(): void {
    this.#limits.drop(this.#queue, this.#done);
    this.end();
  }

  #enqueue(item: Queued): void {
    if (this.#phase !== 'open') return;
    this.#queue.push(item);
    this.#scheduler.submit(this);
    this.#limits.add(item, this.#queue.length);
  }

  #enqueueCredential(id: number, credential: Credential | RequestError): void {
    const resource = { kind: 'database', name: this.database.name } as const;
    const verify = (given: Credential): Promise<Principal> => this.#verifier.verify(given, resource);
    const onVerified = (item: Queued): void => {
      // Items behind this one were delayed only if this one was the next to run.
      if (this.#queue[this.#done] === item) this.#submitAll();
    };
    this.#enqueue(queueCredential(id, credential, verify, onVerified));
  }

  /** Submits the session once for every waiting item. Surplus runs do nothing. */
  #submitAll(): void {
    for (let i = this.#done; i < this.#queue.length; i++) this.#scheduler.submit(this);
    // One more run finds no item and finishes the session.
    if (this.#phase === 'ending') this.#scheduler.submit(this);
  }

  /** Runs `body` in a transaction, unless the session is anonymous, or its client has signed out or in before. */
  #whileSame(body: (transaction: WriteTransaction) => void): void {
    const { identity } = this;
    if (this.#phase !== 'open' || identity.kind === 'guest') return;
    const done = this.#scheduler.request((transaction) => {
      if (this.#phase === 'open' && this.identity === identity) body(transaction);
    });
    void done.catch(() => this.end());
  }

  /** The end also waits for the session that this one replaces. */
  get #mayFinish(): boolean {
    return this.#phase === 'ending' && this.#isStarted;
  }

  #isReady(next: Queued): boolean {
    if (!this.#isStarted || !isPrepared(next)) return false;
    // A client that does not read its responses gets no further ones. After it has disconnected, they are
    // discarded.
    return this.#phase !== 'open' || this.canReceive;
  }

  #onDone(transaction: WriteTransaction): void {
    if (this.#transaction !== transaction) {
      this.#transaction = transaction;
      const before = this.#done;
      transaction.onRollback(() => {
        this.#done = before;
        this.#transaction = undefined;
      });
      transaction.onCommit(() => this.#forgetDone());
    }
    this.#done++;
  }

  #forgetDone(): void {
    this.#transaction = undefined;
    const done = this.#queue.slice(0, this.#done);
    recordLatencies(this.database, done);
    // Usually all items are done. A new array takes less memory than the old one, which keeps its capacity.
    this.#queue = this.#done === this.#queue.length ? [] : this.#queue.slice(this.#done);
    this.#done = 0;
    this.#limits.remove(done, this.#queue.length);
  }

  #execute(transaction: WriteTransaction, item: QueuedRequest): void {
    this.scan = item.scan;
    this.#identity.recordRequest();
    try {
      this.#answer(transaction, item.id, () => runCounted(this, transaction, item));
      transaction.onCommit(() => stopWaiting(item));
    } catch (error) {
      if (!(error instanceof PostponedRequest)) throw error;
      this.#done--;
      postpone(item, error, () => this.#submitAll());
    }
  }

  /** Responds to a request with the JSON text that `run` returns, or with its error. */
  #answer(transaction: WriteTransaction, id: number | null, run: () => string | PendingText): void {
    try {
      const json = run();
      if (id !== null) transaction.send(this, okResponse(id, json));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      // The client reconnects, and listens again.
      if (id === null) transaction.onCommit(() => this.end());
      else transaction.send(this, errorResponse(id, error));
    }
  }

  #authenticate(transaction: WriteTransaction, outcome: Verified | undefined): string {
    this.changeIdentity(transaction, outcome?.kind === 'identity' ? outcome.identity : ANONYMOUS);
    return authenticatedJson(outcome);
  }

  #finish(transaction: WriteTransaction): void {
    this.#enterOver(transaction);
    this.#end.begin(transaction, this.#identity.last);
  }

  #enterOver(transaction: WriteTransaction): void {
    this.#phase = 'over';
    transaction.onRollback(() => {
      this.#phase = 'ending';
    });
    transaction.onCommit(() => {
      this.database.profiler?.record({ name: 'concurrent-disconnect' });
    });
    // This is not reverted if the transaction fails, because the client has disconnected.
    this.#identity.end();
    this.listens.clear();
    this.#limits.end();
    this.database.readers.delete(this);
  }
}
