import { Refusal } from '@hearth/core/fault/refusal.ts';
import { canonicalJson } from '@hearth/core/query/canonical-json.ts';
import { formatPath } from '@hearth/core/tree/path.ts';
import {
  credentialRevokedPush,
  listenRevokedPush,
  pongMessage,
  responseMessage,
} from '@hearth/core/wire/down.ts';
import { type Fields, parseUpMessage, type UpMessage } from '@hearth/core/wire/up.ts';
import type { Committer, TurnTask } from '../commit/committer.ts';
import { Frame } from '../commit/frame.ts';
import type { Turn } from '../commit/turn.ts';
import type { Database, Reader } from '../database/database.ts';
import { endDisconnected, storeIdentity } from '../database/disconnect-queue.ts';
import { isReadable } from '../database/permission.ts';
import { GUEST, type Identity } from '../identity/identity.ts';
import type { Credential, CredentialVerifier } from '../identity/verifier.ts';
import type { Action, ActionSession } from './action.ts';
import { ACTIONS } from './actions.ts';
import type { Connection, DrainListener, MessageReceiver } from './connection.ts';
import { CredentialTimer } from './credential-timer.ts';
import { runProfiled } from './run-profiled.ts';
import { type ActiveListen, SessionListens } from './session-listens.ts';

/** Takes over the remembered writes of a session that could not be executed at its end. */
export interface UnfinishedSessions {
  add(sessionId: string, database: string, identity: Identity): void;
}

export interface SessionOptions {
  /** Secret; names the session in the handshake and in the store. */
  readonly id: string;
  readonly database: Database;
  readonly connection: Connection;
  readonly committer: Committer;
  readonly verifier: CredentialVerifier;
  readonly nowMs: () => number;
  readonly unfinished: UnfinishedSessions;
  /** Nothing of this session is done before this settles: the end of the session that it takes over from. */
  readonly startAfter?: Promise<void>;
  /** Told once nothing of the session is left to be done. */
  readonly onOver?: (session: Session) => void;
}

/** What a client sent and what was not done yet, in the order it was sent. */
type Queued =
  | { readonly kind: 'ping' }
  /** Was for a client that is gone. */
  | { readonly kind: 'dropped' }
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly action: string;
      readonly run: Action;
      readonly body: Fields;
      readonly isForClient: boolean;
      /** When it came. */
      readonly arrivedMs: number;
    }
  | { readonly kind: 'credential'; readonly id: number; outcome: Verified | undefined };

/** Whom a credential stands for, or why it stands for nobody; absent while that is being found out. */
type Verified =
  | { readonly kind: 'identity'; readonly identity: Identity }
  | { readonly kind: 'failure'; readonly error: unknown };

/** Requests that may wait before the client is no longer read from; it is again when half of them are done. */
const MAX_QUEUED = 1_000;

const PONG = new Frame(pongMessage());
const CREDENTIAL_REVOKED = new Frame(credentialRevokedPush('Auth token is expired.'));

/**
 * One logical connection of a client: who it is, what it listens to, and its requests, which are executed one at a time
 * in the order of arrival. Ends once; its remembered writes are then executed.
 *
 * The session is its own task: every request submits it once, and each time it runs it executes the request that is next.
 * So requests of all clients run in the order of arrival, and a client that does not read its answers holds up itself.
 */
export class Session implements ActionSession, DrainListener, MessageReceiver, Reader, TurnTask {
  readonly id: string;
  readonly database: Database;
  readonly listens: SessionListens;
  /** What the client says that it is; `null` until it has said something. */
  sdk: string | null = null;
  readonly #onOver: ((session: Session) => void) | undefined;
  readonly #expiry: CredentialTimer;
  #connection: Connection;
  readonly #committer: Committer;
  readonly #verifier: CredentialVerifier;
  readonly #unfinished: UnfinishedSessions;
  /** Made when somebody asks for it, which is rarely. */
  #over: PromiseWithResolvers<void> | undefined;
  #identity: Identity = GUEST;
  #queue: Queued[] = [];
  /** How many of the queue were executed by turns that are not told yet. */
  #done = 0;
  /** The turn that last executed something of the queue. */
  #turn: Turn | undefined;
  #isStarted: boolean;
  #isReadingPaused = false;
  /** `ending` takes no more messages, but executes those it has; `over` has executed the last. */
  #phase: 'open' | 'ending' | 'over' = 'open';

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.database = options.database;
    this.listens = new SessionListens(options.database.listens, this);
    this.#connection = options.connection;
    this.#committer = options.committer;
    this.#verifier = options.verifier;
    this.#unfinished = options.unfinished;
    this.#onOver = options.onOver;
    this.#expiry = new CredentialTimer(options.nowMs, () => this.revokeCredential());
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

  /** Settles once nothing of the session is left to be done. */
  get over(): Promise<void> {
    if (this.#over === undefined) {
      this.#over = Promise.withResolvers();
      if (this.#phase === 'over') this.#over.resolve();
    }
    return this.#over.promise;
  }

  get identity(): Identity {
    return this.#identity;
  }

  get connection(): Connection {
    return this.#connection;
  }

  drained(): void {
    this.#submitAll();
  }

  deliver(frames: readonly Frame[]): void {
    this.#connection.deliver(frames);
  }

  /** Goes on over another connection of the same client; the former one is told nothing more. */
  moveTo(connection: Connection): void {
    if (this.#phase !== 'open') return;
    this.#connection = connection;
    connection.onDrained(this);
    connection.countIn(this.database.activity);
    if (this.#isReadingPaused) connection.pause();
    this.#submitAll();
  }

  receive(text: string): void {
    if (this.#phase === 'open') this.accept(parseUpMessage(text));
  }

  /** Takes one message. */
  accept(message: UpMessage): void {
    if (this.#phase !== 'open') return;
    switch (message.kind) {
      case 'ping':
        // In order with answers, so that a pong says that all before it was done.
        this.#enqueue(message);
        return;
      case 'request': {
        const action = ACTIONS.get(message.action);
        if (action?.kind === 'credential') this.#enqueueCredential(message.id, action.parse(message.body));
        else {
          const arrivedMs = this.database.elapsedMs();
          this.#enqueue({ ...message, ...(action ?? UNKNOWN), kind: 'request', arrivedMs });
        }
        return;
      }
      // Of the transports, not of what goes over them.
      case 'switch':
      case 'end-of-transmission':
      case 'unknown':
        return;
      default:
        message satisfies never;
    }
  }

  run(turn: Turn): void {
    const next = this.#queue[this.#done];
    if (next === undefined) {
      if (this.#mayFinish) this.#finish(turn);
      return;
    }
    // Submitted again when what it waits for has come.
    if (!this.#isReady(next)) return;
    this.#noteDone(turn);
    switch (next.kind) {
      case 'ping':
        turn.send(this, PONG);
        return;
      case 'dropped':
        return;
      case 'request':
        this.#answer(turn, next.id, () => runProfiled(this, turn, next));
        return;
      case 'credential':
        this.#answer(turn, next.id, () => this.#authenticate(turn, next.outcome));
        return;
      default:
        next satisfies never;
    }
  }

  refuse(turn: Turn, refusal: Refusal): void {
    const next = this.#queue[this.#done];
    if (next === undefined) {
      if (this.#mayFinish) this.#finishWithout(turn);
      return;
    }
    this.#noteDone(turn);
    if ('id' in next) turn.send(this, new Frame(refusalMessage(next.id, refusal)));
  }

  changeIdentity(turn: Turn, identity: Identity): void {
    const before = this.#identity;
    this.#identity = identity;
    turn.onUndo(() => {
      this.#identity = before;
    });
    storeIdentity(turn, this.id, identity);
    this.recheckReads(turn);
    turn.afterwards(() => this.#expiry.watch(this.#phase === 'over' ? GUEST : this.#identity));
  }

  /**
   * Tells the client that its credential counts no more, and ends: it comes back with another, and can do nothing
   * meanwhile. No listen is said to be revoked, so that its app sees none of this. Does nothing for who has no credential.
   */
  revokeCredential(): void {
    if (this.#phase !== 'open' || this.#identity.kind === 'guest') return;
    this.#committer
      .request((turn) => turn.send(this, CREDENTIAL_REVOKED))
      .then(
        () => this.end(),
        () => this.end(),
      );
  }

  recheckReads(turn: Turn): void {
    for (const listen of this.listens.all()) {
      const query = listen.kind === 'query' ? listen.query : null;
      const asker = { operation: 'listen', identity: this.#identity } as const;
      if (isReadable(turn, this.database, asker, { path: listen.path, query })) continue;
      this.listens.remove(turn, listen);
      turn.send(this, new Frame(revocation(listen)));
    }
  }

  /**
   * Ends the session: what it asked for before is executed, then the writes it left behind. What waits for a credential
   * that is still being verified was not asked for by anybody known, and is dropped. Idempotent.
   */
  end(): void {
    if (this.#phase !== 'open') return;
    this.#phase = 'ending';
    const pending = this.#queue.findIndex((item) => item.kind === 'credential' && item.outcome === undefined);
    if (pending >= 0) this.#queue.length = pending;
    // Nobody is there any more to be told. What is left keeps its turn, so that it stays in the order of arrival.
    this.#queue = this.#queue.map((item, place) =>
      place >= this.#done && isForClient(item) ? DROPPED : item,
    );
    this.#submitAll();
    this.#connection.close();
  }

  #enqueue(item: Queued): void {
    this.#queue.push(item);
    this.#committer.submit(this);
    if (this.#queue.length > MAX_QUEUED && !this.#isReadingPaused) {
      this.#isReadingPaused = true;
      this.#connection.pause();
    }
  }

  #enqueueCredential(id: number, credential: Credential | Refusal): void {
    if (credential instanceof Refusal) {
      this.#enqueue({ kind: 'credential', id, outcome: { kind: 'failure', error: credential } });
      return;
    }
    const item: Queued & { kind: 'credential' } = { kind: 'credential', id, outcome: undefined };
    this.#enqueue(item);
    const settle = (outcome: Verified): void => {
      item.outcome = outcome;
      // What is behind it has waited only if it is the next.
      if (this.#queue[this.#done] === item) this.#submitAll();
    };
    this.#verifier.verify(credential, { kind: 'database', name: this.database.name }).then(
      (identity) => settle({ kind: 'identity', identity }),
      (error: unknown) => settle({ kind: 'failure', error }),
    );
  }

  /** One run for everything that waits; runs too many find nothing to do. */
  #submitAll(): void {
    for (let i = this.#done; i < this.#queue.length; i++) this.#committer.submit(this);
    // And one that finds nothing more, and finishes.
    if (this.#phase === 'ending') this.#committer.submit(this);
  }

  /** The end waits, too, for the session that this one takes over from. */
  get #mayFinish(): boolean {
    return this.#phase === 'ending' && this.#isStarted;
  }

  #isReady(next: Queued): boolean {
    if (!this.#isStarted || (next.kind === 'credential' && next.outcome === undefined)) return false;
    // Whoever does not read its answers gets no more of them; once it is gone, they go nowhere.
    return this.#phase !== 'open' || !this.#connection.isFull;
  }

  #noteDone(turn: Turn): void {
    if (this.#turn !== turn) {
      this.#turn = turn;
      const before = this.#done;
      turn.onUndo(() => {
        this.#done = before;
        this.#turn = undefined;
      });
      turn.afterwards(() => this.#forgetDone());
    }
    this.#done++;
  }

  #forgetDone(): void {
    this.#turn = undefined;
    this.#noteLatencies();
    // Most often all is done; a new list then takes less room than the old one with its past length.
    this.#queue = this.#done === this.#queue.length ? [] : this.#queue.slice(this.#done);
    this.#done = 0;
    if (!this.#isReadingPaused || this.#queue.length > MAX_QUEUED / 2) return;
    this.#isReadingPaused = false;
    this.#connection.resume();
  }

  #noteLatencies(): void {
    const nowMs = this.database.elapsedMs();
    for (let place = 0; place < this.#done; place++) {
      const item = this.#queue[place];
      if (item?.kind === 'request') this.database.activity.noteLatency(nowMs - item.arrivedMs);
    }
  }

  /** Answers a request with the JSON text that `run` returns, or with why it is refused. */
  #answer(turn: Turn, id: number, run: () => string): void {
    try {
      turn.send(this, new Frame(responseMessage(id, 'ok', run())));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      turn.send(this, new Frame(refusalMessage(id, error)));
    }
  }

  #authenticate(turn: Turn, outcome: Verified | undefined): string {
    if (outcome?.kind === 'identity') {
      this.changeIdentity(turn, outcome.identity);
      return authenticatedJson(outcome.identity);
    }
    this.changeIdentity(turn, GUEST);
    throw outcome?.error ?? new Error('Bug: a credential was not verified');
  }

  #finish(turn: Turn): void {
    this.#enterOver(turn);
    if (endDisconnected(turn, this.database, this.id, this.#identity) === 'postponed')
      this.#leaveUnfinished(turn);
  }

  #finishWithout(turn: Turn): void {
    this.#enterOver(turn);
    this.#leaveUnfinished(turn);
  }

  #leaveUnfinished(turn: Turn): void {
    turn.afterwards(() => this.#unfinished.add(this.id, this.database.name, this.#identity));
  }

  #enterOver(turn: Turn): void {
    this.#phase = 'over';
    turn.onUndo(() => {
      this.#phase = 'ending';
    });
    turn.afterwards(() => {
      this.database.profiler?.record({ name: 'concurrent-disconnect' });
      this.#over?.resolve();
      this.#onOver?.(this);
    });
    // Not to be undone: whatever becomes of the turn, nobody is there to be told.
    this.#expiry.watch(GUEST);
    this.listens.clear();
    this.database.readers.delete(this);
  }
}

const DROPPED: Queued = { kind: 'dropped' };

function isForClient(item: Queued): boolean {
  return item.kind === 'ping' || (item.kind === 'request' && item.isForClient);
}

const UNKNOWN: { readonly run: Action; readonly isForClient: boolean } = {
  run: () => {
    throw new Refusal('request/unknown-action');
  },
  isForClient: true,
};

function refusalMessage(id: number, refusal: Refusal): string {
  return responseMessage(id, refusal.spec.wire, JSON.stringify(refusal.message));
}

function authenticatedJson(identity: Identity): string {
  const isUser = identity.kind === 'user';
  const expires = isUser && identity.expiresAtMs !== null ? Math.floor(identity.expiresAtMs / 1000) : null;
  return canonicalJson({ auth: isUser ? identity.auth : null, expires });
}

function revocation(listen: ActiveListen): string {
  const path = formatPath(listen.path);
  return listen.kind === 'query' ? listenRevokedPush(path, listen.queryJson) : listenRevokedPush(path);
}
