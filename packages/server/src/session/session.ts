import { Refusal } from '@hearth/core/fault/refusal.ts';
import { listenRevokedPush, pongMessage, responseMessage } from '@hearth/core/wire/down.ts';
import { type Fields, parseUpMessage } from '@hearth/core/wire/up.ts';
import type { Committer } from '../commit/committer.ts';
import { Frame } from '../commit/frame.ts';
import type { Turn } from '../commit/turn.ts';
import type { Database, Reader } from '../database/database.ts';
import { endDisconnected, storeIdentity } from '../database/disconnect-queue.ts';
import { GUEST, type Identity } from '../identity/identity.ts';
import type { CredentialVerifier } from '../identity/verifier.ts';
import { canRead } from '../rules/decide.ts';
import type { ActionSession } from './action.ts';
import { ACTIONS } from './actions.ts';
import type { Connection } from './connection.ts';
import { type ActiveListen, SessionListens } from './session-listens.ts';

export interface SessionOptions {
  /** Secret; names the session in the handshake and in the store. */
  readonly id: string;
  readonly database: Database;
  readonly connection: Connection;
  readonly committer: Committer;
  readonly verifier: CredentialVerifier;
}

interface Request {
  readonly id: number;
  readonly action: string;
  readonly body: Fields;
}

const PONG = new Frame(pongMessage());

/**
 * One logical connection of a client: who it is, what it listens to, and its requests, which are executed one at a time
 * in the order of arrival. Ends once; its remembered writes are then executed.
 */
export class Session implements ActionSession, Reader {
  readonly id: string;
  readonly database: Database;
  readonly listens: SessionListens;
  readonly #connection: Connection;
  readonly #committer: Committer;
  readonly #verifier: CredentialVerifier;
  #identity: Identity = GUEST;
  /** Requests that wait until the credential before them is verified; absent when none is being verified. */
  #waiting: Request[] | undefined;
  /** Takes no more messages; those taken before are still executed. */
  #isEnded = false;
  /** The last turn of the session was run. */
  #isOver = false;

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.database = options.database;
    this.listens = new SessionListens(options.database.listens, this);
    this.#connection = options.connection;
    this.#committer = options.committer;
    this.#verifier = options.verifier;
    this.database.readers.add(this);
  }

  get identity(): Identity {
    return this.#identity;
  }

  deliver(frames: readonly Frame[]): void {
    this.#connection.deliver(frames);
  }

  /** Takes one message. Throws a `Refusal` when it is not one, after which the connection has to be closed. */
  receive(text: string): void {
    if (this.#isEnded) return;
    const message = parseUpMessage(text);
    switch (message.kind) {
      case 'ping':
        // In order with answers, so that a pong says that all before it was done.
        this.#submit((turn) => turn.send(this, PONG));
        return;
      case 'request':
        this.#accept(message);
        return;
      case 'unknown':
        return;
      default:
        message satisfies never;
    }
  }

  changeIdentity(turn: Turn, identity: Identity): void {
    // First, because it may be refused.
    storeIdentity(turn, this.id, identity);
    const before = this.#identity;
    this.#identity = identity;
    turn.onUndo(() => {
      this.#identity = before;
    });
    this.recheckReads(turn);
  }

  recheckReads(turn: Turn): void {
    for (const listen of this.listens.all()) {
      if (canRead(this.database.rules, listen.path, this.#identity)) continue;
      this.listens.remove(turn, listen);
      turn.send(this, new Frame(revocation(listen)));
    }
  }

  /** Ends the session: what it asked for before is executed, then the writes it left behind. Idempotent. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting = undefined;
    this.#committer.submit({
      run: (turn) => {
        this.#isOver = true;
        turn.onUndo(() => {
          this.#isOver = false;
        });
        this.listens.removeAll(turn);
        this.database.readers.delete(this);
        turn.onUndo(() => this.database.readers.add(this));
        endDisconnected(turn, this.database, this.id);
      },
      // The queue stays in the store, and is executed when the server starts again.
      fail: () => undefined,
    });
    this.#connection.close();
  }

  #accept(request: Request): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(request);
      return;
    }
    const action = ACTIONS.get(request.action);
    if (action?.kind === 'credential') this.#authenticate(request, action.parse(request.body));
    else this.#decide(request, (turn) => (action ?? UNKNOWN).run(this, turn, request.body));
  }

  #authenticate(request: Request, credential: Parameters<CredentialVerifier['verify']>[0] | Refusal): void {
    this.#waiting = [];
    // What was read already waits; nothing more is read, so that little can wait.
    this.#connection.pause();
    const verified =
      credential instanceof Refusal ? Promise.reject(credential) : this.#verifier.verify(credential);
    verified
      .then(
        (identity) => {
          this.#decide(request, (turn) => {
            this.changeIdentity(turn, identity);
            return authenticatedJson(identity);
          });
        },
        (error: unknown) => {
          this.#decide(request, (turn) => {
            this.changeIdentity(turn, GUEST);
            throw error;
          });
        },
      )
      .finally(() => {
        const waiting = this.#waiting ?? [];
        this.#waiting = undefined;
        this.#connection.resume();
        for (const next of waiting) this.#accept(next);
      });
  }

  /** Runs a request in its turn and answers it, with the JSON text it returns or with why it is refused. */
  #decide({ id }: Request, run: (turn: Turn) => string): void {
    this.#submit(
      (turn) => {
        try {
          turn.send(this, new Frame(responseMessage(id, 'ok', run(turn))));
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          turn.send(this, new Frame(refusalMessage(id, error)));
        }
      },
      (refusal) => this.deliver([new Frame(refusalMessage(id, refusal))]),
    );
  }

  #submit(run: (turn: Turn) => void, fail: (refusal: Refusal) => void = () => undefined): void {
    this.#committer.submit({
      run: (turn) => {
        if (!this.#isOver) run(turn);
      },
      fail,
    });
  }
}

const UNKNOWN = {
  run: (): string => {
    throw new Refusal('request/unknown-action');
  },
};

function refusalMessage(id: number, refusal: Refusal): string {
  return responseMessage(id, refusal.spec.wire, JSON.stringify(refusal.message));
}

function authenticatedJson(identity: Identity): string {
  const isUser = identity.kind === 'user';
  const expires = isUser && identity.expiresAtMs !== null ? Math.floor(identity.expiresAtMs / 1000) : null;
  return JSON.stringify({ auth: isUser ? identity.auth : null, expires });
}

function revocation(listen: ActiveListen): string {
  const path = listen.path.join('/');
  return listen.kind === 'query' ? listenRevokedPush(path, listen.queryJson) : listenRevokedPush(path);
}
