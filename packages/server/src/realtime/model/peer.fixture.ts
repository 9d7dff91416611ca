import assert from 'node:assert/strict';
import { parseDraft } from '@hearth/core/tree/draft.ts';
import { canonicalJson, parseJsonText } from '@hearth/core/tree/json-text.ts';
import { nodeAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, type Path, parsePath, parseWritePath } from '@hearth/core/tree/path.ts';
import { ADMIN, ANONYMOUS } from '../../access/principal.ts';
import type { Session } from '../protocol/session.ts';
import {
  type Interest,
  interestKey,
  interestOf,
  ModelClient,
  type Outstanding,
  viewOf,
} from './client.fixture.ts';
import { hashOf, type ModelResponse, type ModelServer, type ModelSession } from './server.fixture.ts';
import type { ClientRequest, Guess, ModelEvent, UpdateFields } from './step.fixture.ts';
import type { RecordingConnection } from './test-server.fixture.ts';

const TOKENS = {
  user: `${encode({ alg: 'none' })}.${encode({ sub: 'u' })}.`,
  owner: 'owner',
  unreadable: '?',
} as const;

/** Actions that only read. If the client leaves in the same transaction, its reads are not executed. */
const READS: ReadonlySet<string> = new Set(['q', 'n', 'g']);

interface PeerOptions {
  readonly session: Session;
  readonly connection: RecordingConnection;
  readonly model: ModelServer;
  readonly modelSession: ModelSession;
  /** Adds an action of the model that is executed after the transaction. */
  readonly plan: (act: () => void) => void;
}

interface ExpectedResponse {
  readonly id: number;
  readonly response: ModelResponse;
  readonly tree: TreeNode | null;
}

/** A client with its connection, its cache and its session in the model. Sends requests, and checks the messages. */
export class Peer {
  readonly #session: Session;
  readonly #connection: RecordingConnection;
  readonly #client = new ModelClient();
  readonly #model: ModelServer;
  readonly #modelSession: ModelSession;
  readonly #plan: (act: () => void) => void;
  /** Interests of the client once all sent requests are answered. */
  readonly #wanted = new Map<string, Interest>();
  readonly #expected: ExpectedResponse[] = [];
  /** Ids of the requests that only read. */
  readonly #reads = new Set<number>();
  #nextId = 1;
  #nextTag = 1;

  constructor({ session, connection, model, modelSession, plan }: PeerOptions) {
    this.#session = session;
    this.#connection = connection;
    this.#model = model;
    this.#modelSession = modelSession;
    this.#plan = plan;
  }

  /** Sends a request, and plans the same for the model. */
  request(request: ClientRequest): void {
    const model = this.#model;
    switch (request.kind) {
      case 'put': {
        const { path, json } = request;
        const hash = this.#guess(parseWritePath(path).path, request.guess);
        this.#send('p', [pathField(path), `"d":${json}`, ...hashField(hash)], () =>
          model.put(this.#modelSession, path, json, hash),
        );
        return;
      }
      case 'merge': {
        const { path, fields } = request;
        const hash = this.#guess(parsePath(path), request.guess);
        this.#send('m', [pathField(path), updateField(fields), ...hashField(hash)], () =>
          model.merge(this.#modelSession, path, fields, hash),
        );
        return;
      }
      case 'listen':
        this.#listen(interestOf(parsePath(request.path), request.queryJson, this.#nextTag++), request.isHeld);
        return;
      case 'relisten': {
        const interest = pick(this.#wanted, request.which);
        if (interest !== undefined) this.#listen(interest, request.isHeld);
        return;
      }
      case 'unlisten':
        this.#unlisten(pick(this.#wanted, request.which), request.by);
        return;
      case 'get': {
        const { path, queryJson } = request;
        this.#send('g', [pathField(path), `"q":${queryJson ?? '{}'}`], () =>
          model.read(this.#modelSession, path, queryJson),
        );
        return;
      }
      case 'queue-write': {
        const { path, json } = request;
        this.#send('o', [pathField(path), `"d":${json}`], () =>
          model.queueWrite(this.#modelSession, path, json),
        );
        return;
      }
      case 'queue-update': {
        const { path, fields } = request;
        this.#send('om', [pathField(path), updateField(fields)], () =>
          model.queueUpdate(this.#modelSession, path, fields),
        );
        return;
      }
      case 'cancel':
        this.#send('oc', [pathField(request.path), '"d":null'], () =>
          model.cancel(this.#modelSession, request.path),
        );
        return;
      case 'unauth':
        this.#send('unauth', [], () => model.identify(this.#modelSession, ANONYMOUS, { status: 'ok' }));
        return;
      case 'leave':
        this.#session.end();
        this.#plan(() => model.leave(this.#modelSession));
        return;
      default:
        request satisfies never;
    }
  }

  /** Sends a credential. */
  identify(as: keyof typeof TOKENS): void {
    const user = { uid: 'u', provider: 'custom', token: { sub: 'u' } };
    this.#send('auth', [`"cred":${JSON.stringify(TOKENS[as])}`], () => {
      switch (as) {
        case 'user':
          return this.#model.identify(
            this.#modelSession,
            { kind: 'user', auth: user, expiresAtMs: null },
            { status: 'ok' },
          );
        case 'owner':
          return this.#model.identify(this.#modelSession, ADMIN, { status: 'ok' });
        case 'unreadable':
          return this.#model.identify(this.#modelSession, ANONYMOUS, { status: 'invalid_token' });
        default:
          return as satisfies never;
      }
    });
  }

  /**
   * Compares the messages of a transaction and the cache of the client with the model. `only` is the event of the
   * transaction if there was exactly one.
   */
  check(only: ModelEvent | undefined): void {
    const client = this.#client;
    const { interests } = this.#modelSession;
    client.startTransaction();
    this.#checkMessages();
    assert.ok(!client.hasOutstanding, 'every request is answered');
    assert.deepEqual(
      new Set(client.interests.map(interestKey)),
      new Set(interests.keys()),
      'the locations and queries with listens',
    );
    client.check(this.#model.tree);
    this.#wanted.clear();
    for (const [key, interest] of interests) this.#wanted.set(key, interest);
    if (only?.kind !== 'request') return;
    const defaults = client.interests.filter(({ kind }) => kind === 'default');
    assert.ok(client.pushCounts.perQuery <= 1, 'one push per write and query');
    assert.ok(client.pushCounts.untagged <= defaults.length, 'one push per write and listen');
  }

  /**
   * Checks the messages to a client that has left. Its reads in that transaction are not executed. `isReported` is whether
   * the messages contain the effects of its own requests.
   */
  checkDeparted(isReported: boolean): void {
    this.#client.withdraw(this.#reads);
    const answered = this.#expected.filter(({ id }) => !this.#reads.has(id));
    this.#expected.splice(0, this.#expected.length, ...answered);
    this.#checkMessages(isReported);
  }

  #listen(interest: Interest, isHeld: boolean): void {
    const key = interestKey(interest);
    this.#wanted.set(key, interest);
    const seed = isHeld ? viewOf(interest, this.#model.tree) : undefined;
    const fields = [pathField(formatPath(interest.path)), `"h":"${seed === undefined ? '' : hashOf(seed)}"`];
    if (interest.kind === 'query') fields.push(`"q":${interest.queryJson}`, `"t":${interest.tag}`);
    const respond = (): ModelResponse => this.#model.listen(this.#modelSession, interest);
    this.#send('q', fields, respond, (id) => ({ kind: 'listen', id, interest, seed }));
  }

  #unlisten(interest: Interest | undefined, by: 'tag' | 'query'): void {
    if (interest === undefined) return;
    const key = interestKey(interest);
    this.#wanted.delete(key);
    const fields = [pathField(formatPath(interest.path))];
    if (interest.kind === 'query') {
      fields.push(`"q":${interest.queryJson}`);
      const isAmbiguous = [...this.#wanted.values()].some((other) => isSameQuery(other, interest));
      if (by === 'tag' || isAmbiguous) fields.push(`"t":${interest.tag}`);
    }
    const respond = (): ModelResponse => this.#model.unlisten(this.#modelSession, key);
    this.#send('n', fields, respond, (id) => ({ kind: 'unlisten', id, key }));
  }

  #send(
    action: string,
    fields: readonly string[],
    respond: () => ModelResponse,
    outstanding: (id: number) => Outstanding = (id) => ({ kind: 'plain', id }),
  ): void {
    const id = this.#nextId++;
    this.#client.sent(outstanding(id));
    if (READS.has(action)) this.#reads.add(id);
    this.#session.receive(`{"t":"d","d":{"r":${id},"a":"${action}","b":{${fields.join(',')}}}}`);
    this.#plan(() => {
      const response = respond();
      this.#expected.push({ id, response, tree: this.#model.tree });
    });
  }

  #guess(path: Path, guess: Guess): string | undefined {
    switch (guess) {
      case 'none':
        return undefined;
      case 'right':
        return hashOf(nodeAt(this.#model.tree, path));
      case 'wrong':
        return 'eVih19a6ZDz3NL32uVBtg9KSgQY=';
      case 'absent':
        return '';
      default:
        return guess satisfies never;
    }
  }

  #checkMessages(isReported = true): void {
    const client = this.#client;
    const expected = this.#expected;
    for (const text of this.#connection.messages.splice(0)) {
      const response = client.receive(text);
      if (response === undefined) continue;
      const next = expected.shift();
      assert.ok(next !== undefined, 'a message that responds to nothing');
      assert.deepEqual(
        { id: response.id, status: response.status },
        { id: next.id, status: next.response.status },
      );
      if (next.response.shown !== undefined)
        assert.equal(exportJson(parseDraft(response.body, 0).node), exportJson(next.response.shown));
      if (isReported) client.check(next.tree);
    }
    assert.deepEqual(expected, [], 'every request is answered');
  }
}

function pick(interests: ReadonlyMap<string, Interest>, which: number): Interest | undefined {
  return [...interests.values()][interests.size === 0 ? 0 : which % interests.size];
}

function isSameQuery(a: Interest, b: Interest): boolean {
  return (
    a.kind === 'query' &&
    b.kind === 'query' &&
    formatPath(a.path) === formatPath(b.path) &&
    canonicalJson(parseJsonText(a.queryJson)) === canonicalJson(parseJsonText(b.queryJson))
  );
}

function pathField(path: string): string {
  return `"p":${JSON.stringify(path)}`;
}

function hashField(hash: string | undefined): readonly string[] {
  return hash === undefined ? [] : [`"h":"${hash}"`];
}

function updateField(fields: UpdateFields): string {
  return `"d":{${fields.map(([path, json]) => `${JSON.stringify(path)}:${json}`).join(',')}}`;
}

function encode(json: unknown): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}
