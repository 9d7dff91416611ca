import type { Cost, CostKind } from '@hearth/core/api/activity.ts';
import type { Query } from '@hearth/core/query/query.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import { isMemberRequest, type Principal } from '../../../access/principal.ts';
import { countBytes } from '../../../http/json-output.ts';
import type { OutgoingMessage } from '../../../storage/transaction/outgoing-message.ts';
import type { Receiver, WriteTransaction } from '../../../storage/transaction/transaction.ts';
import { type Database, PostponedRequest } from '../../database/database.ts';
import type { ListenReceiver, QueryListen } from '../../database/listens.ts';
import type { ReadAnswer, ReadRequest } from '../../database/tree-view.ts';
import { CostSampler } from './costs.ts';
import { queryShape } from './query-shape.ts';

/** A request whose cost is counted. */
export interface MeasuredRequest {
  readonly kind: CostKind;
  readonly identity: Principal;
  readonly path: Path;
  readonly query: Query | null;
}

/**
 * Returns a function that adds the cost of an event of a request. The costs of members of the console are charged to their
 * account, but to no path, because the console would otherwise list what its own views show.
 */
export function chargerOf(database: Database, request: MeasuredRequest): (cost: Cost) => void {
  const { kind, identity, path, query } = request;
  const { costs } = database.activity;
  return (cost) => {
    costs.addToAccount(identity, cost);
    if (isMemberRequest(identity)) return;
    const shape = query === null ? null : queryShape(query);
    costs.addToPath({ kind, path, query: shape }, database.rules.root, cost);
  };
}

/**
 * Runs a part of a request in one transaction. Once the transaction is durable, passes the cost of this part to `charge`:
 * the time, and the messages that it sends to `receiver`. `weight` is the number of requests for which this one counts.
 */
export function measure<T>(
  { database, transaction, weight }: Measurement,
  receiver: Receiver | null,
  charge: (cost: Cost) => void,
  run: () => T,
): T {
  const startedMs = database.elapsedMs();
  const before = receiver === null ? 0 : transaction.sentTo(receiver).length;
  let events = weight;
  try {
    return run();
  } catch (error) {
    // The request runs again.
    if (error instanceof PostponedRequest) events = 0;
    throw error;
  } finally {
    const ms = database.elapsedMs() - startedMs;
    const sent = receiver === null ? [] : transaction.sentTo(receiver).slice(before);
    transaction.onCommit(() => {
      charge({ events, sentBytes: 0, ms: weight * ms });
      countMessages(sent, (bytes) => charge({ events: 0, sentBytes: weight * bytes, ms: 0 }));
    });
  }
}

export interface Measurement {
  readonly database: Database;
  readonly transaction: WriteTransaction;
  readonly weight: number;
}

/** Reports the sizes of messages: of one whose text is still being generated, when its text is known. */
function countMessages(messages: readonly OutgoingMessage[], report: (bytes: number) => void): void {
  let bytes = 0;
  for (const { text, pending } of messages)
    if (pending === undefined) bytes += Buffer.byteLength(text);
    else
      void pending.text.then(
        (generated) => report(Buffer.byteLength(generated ?? '')),
        // The receiver handles the error.
        () => undefined,
      );
  if (bytes > 0) report(bytes);
}

/** Executes a read without a session. If it is sampled, counts its cost. */
export function measureRead(
  transaction: WriteTransaction,
  database: Database,
  { identity, path, selection, isFollowUp = false }: ReadRequest,
  run: () => ReadAnswer,
): ReadAnswer {
  const weight = isFollowUp ? 0 : database.activity.costs.requests.next();
  if (weight === 0) return run();
  const query = selection.kind === 'query' ? selection.query : null;
  const charge = chargerOf(database, { kind: 'read', identity, path, query });
  const { json, hash } = measure({ database, transaction, weight }, null, charge, run);
  const report = (bytes: number): void => charge({ events: 0, sentBytes: weight * bytes, ms: 0 });
  return { json: countBytes(json, report), hash };
}

/** Executes a write without a session. If it is sampled, counts its cost. */
export function measureWrite<T>(
  transaction: WriteTransaction,
  database: Database,
  { identity, writes }: { readonly identity: Principal; readonly writes: readonly { readonly path: Path }[] },
  run: () => T,
): T {
  const weight = database.activity.costs.requests.next();
  const [first] = writes;
  if (weight === 0 || first === undefined) return run();
  const charge = chargerOf(database, { kind: 'write', identity, path: first.path, query: null });
  return measure({ database, transaction, weight }, null, charge, run);
}

/** Starts a listen without a session. If it is sampled, counts the cost of its first value. */
export function measureListen<T>(
  transaction: WriteTransaction,
  database: Database,
  listen: Receiver & { readonly request: Omit<MeasuredRequest, 'kind'> },
  run: () => T,
): T {
  const weight = database.activity.costs.requests.next();
  if (weight === 0) return run();
  const charge = chargerOf(database, { ...listen.request, kind: 'listen' });
  return measure({ database, transaction, weight }, listen, charge, run);
}

/** Decides by the rules, and counts the time if the decision is sampled. */
export function measureDecision(database: Database, path: Path | undefined, decide: () => boolean): boolean {
  const { costs } = database.activity;
  const weight = costs.decisions.next();
  if (weight === 0 || path === undefined) return decide();
  const startedMs = database.elapsedMs();
  const isAllowed = decide();
  const ms = weight * (database.elapsedMs() - startedMs);
  costs.addToPath({ kind: 'rules', path, query: null }, database.rules.root, {
    events: weight,
    sentBytes: 0,
    ms,
  });
  return isAllowed;
}

/** Maximum number of receivers of one message that are charged for it, each for a part of all receivers. */
const MAX_CHARGED = 8;

/** Counts what one commit sends to listeners. */
export class BroadcastCosts {
  readonly #measurement: Measurement;
  /** Chooses the listens that are measured, of many that one commit touches. */
  readonly #sampler = new CostSampler();

  constructor(measurement: Measurement) {
    this.#measurement = measurement;
  }

  /** Sends to the receivers of a listen. Counts the messages and the time, if the listen is sampled. */
  measure(
    { path }: { readonly path: Path },
    query: Query | null,
    receivers: ReadonlySet<ListenReceiver> | readonly ListenReceiver[],
    send: () => void,
  ): void {
    const { database, transaction } = this.#measurement;
    const weight = this.#measurement.weight * this.#sampler.next();
    if (weight === 0) {
      send();
      return;
    }
    const count = 'size' in receivers ? receivers.size : receivers.length;
    const charged = chooseReceivers(receivers, count);
    const [first] = charged;
    const { costs } = database.activity;
    const shape = query === null ? null : queryShape(query);
    const costed = { kind: 'broadcast', path, query: shape } as const;
    measure(
      { database, transaction, weight },
      first ?? null,
      ({ sentBytes, ms }) => {
        costs.addToPath(costed, database.rules.root, { events: 0, sentBytes: sentBytes * count, ms });
        if (sentBytes === 0) return;
        costs.addToPath(costed, database.rules.root, { events: weight * count, sentBytes: 0, ms: 0 });
        const share = count / charged.length;
        for (const { identity } of charged)
          if (identity !== undefined)
            costs.addToAccount(identity, { events: weight * share, sentBytes: sentBytes * share, ms: 0 });
      },
      send,
    );
  }
}

/** Returns at most `MAX_CHARGED` of `count` receivers, at equal distances from one another. */
function chooseReceivers(receivers: Iterable<ListenReceiver>, count: number): readonly ListenReceiver[] {
  const distance = Math.ceil(count / MAX_CHARGED);
  const chosen: ListenReceiver[] = [];
  let position = 0;
  for (const receiver of receivers) if (position++ % distance === 0) chosen.push(receiver);
  return chosen;
}

export function receiversOf({ subscriptions }: QueryListen): readonly ListenReceiver[] {
  return Array.from(subscriptions, ({ receiver }) => receiver);
}

/** Returns the counter of what a commit sends, or `undefined` if the commit is not sampled. */
export function findBroadcastCosts(
  transaction: WriteTransaction,
  database: Database,
): BroadcastCosts | undefined {
  const weight = database.activity.costs.broadcasts.next();
  return weight === 0 ? undefined : new BroadcastCosts({ database, transaction, weight });
}
