import type { CostKind } from '@hearth/core/api/activity.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseQuery } from '@hearth/core/query/fields.ts';
import { canonicalJson } from '@hearth/core/tree/json-text.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import type { Fields } from '@hearth/core/wire/client-messages.ts';
import { LongJson } from '@hearth/core/wire/long-message.ts';
import type { PendingText } from '../../storage/transaction/outgoing-message.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { chargerOf, type MeasuredRequest, measure } from '../monitoring/costs/measured.ts';
import type { Operation, OperationName, Profiler, QueryOrder } from '../monitoring/profiler.ts';
import { type Action, type ActionSession, findQueryObject, requireString } from './action.ts';

export interface ProfiledRequest {
  readonly action: string;
  readonly run: Action;
  readonly body: Fields;
  /** Time of arrival. */
  readonly arrivedMs: number;
}

const OPERATIONS: ReadonlyMap<string, OperationName> = new Map([
  ['g', 'realtime-read'],
  ['p', 'realtime-write'],
  ['m', 'realtime-update'],
  ['q', 'listener-listen'],
  ['l', 'listener-listen'],
  ['n', 'listener-unlisten'],
]);

const KINDS: ReadonlyMap<string, CostKind> = new Map([
  ['g', 'read'],
  ['p', 'write'],
  ['m', 'write'],
  ['q', 'listen'],
  ['l', 'listen'],
]);

/** Executes a request. If it is sampled, counts its cost. */
export function runCounted(
  session: ActionSession,
  transaction: WriteTransaction,
  request: ProfiledRequest,
): string | PendingText {
  const { database } = session;
  const kind = KINDS.get(request.action);
  const weight = kind === undefined ? 0 : database.activity.costs.requests.next();
  if (kind === undefined || weight === 0) return runProfiled(session, transaction, request);
  const measured = findMeasured(kind, session, request);
  if (measured === undefined) return runProfiled(session, transaction, request);
  const charge = chargerOf(database, measured);
  const { scan } = session;
  if (scan !== undefined)
    transaction.onCommit(() => charge({ events: 0, sentBytes: 0, ms: weight * scan.cost.ms }));
  const answer = measure({ database, transaction, weight }, session, charge, () =>
    runProfiled(session, transaction, request),
  );
  const report = (text: string | undefined): void =>
    charge({ events: 0, sentBytes: weight * Buffer.byteLength(text ?? ''), ms: 0 });
  if (typeof answer === 'string') transaction.onCommit(() => report(answer));
  else void answer.text.then(report, () => undefined);
  return answer;
}

/**
 * Returns the path and the query to which the cost of a request is charged; `undefined` if the request is malformed and
 * will fail.
 */
function findMeasured(
  kind: CostKind,
  { identity }: ActionSession,
  { body }: ProfiledRequest,
): MeasuredRequest | undefined {
  try {
    const object = kind === 'write' ? undefined : findQueryObject(body);
    const query = object === undefined ? null : parseQuery(object);
    return { kind, identity, path: parsePath(requireString(body, 'p')), query };
  } catch (error) {
    if (error instanceof RequestError) return undefined;
    throw error;
  }
}

/** Executes a request. Records the operation and its cost if a profiler is active. */
function runProfiled(
  session: ActionSession,
  transaction: WriteTransaction,
  request: ProfiledRequest,
): string | PendingText {
  const { profiler } = session.database;
  const name = OPERATIONS.get(request.action);
  if (profiler === null || name === undefined) return request.run(session, transaction, request.body);
  return runWatched(profiler, name, session, transaction, request);
}

function runWatched(
  profiler: Profiler,
  name: OperationName,
  session: ActionSession,
  transaction: WriteTransaction,
  { run, body, arrivedMs }: ProfiledRequest,
): string | PendingText {
  const startedMs = profiler.elapsedMs();
  const sentBefore = transaction.sentTo(session).length;
  const record = (outcome: Pick<Operation, 'allowed' | 'bytes' | 'unIndexed'>): void => {
    const operation: Operation = {
      name: name === 'realtime-write' && textOf(body, 'h') !== undefined ? 'realtime-transaction' : name,
      path: (textOf(body, 'p') ?? '').split('/').filter((key) => key !== ''),
      millis: profiler.elapsedMs() - startedMs,
      pendingTime: startedMs - arrivedMs,
      ...outcome,
      ...(name === 'listener-listen' ? { querySet: [queryOrder(body)] } : {}),
    };
    // Recorded only after the commit, because a failed transaction is executed again.
    transaction.onCommit(() => profiler.record(operation));
  };
  try {
    const answer = run(session, transaction, body);
    const sent = transaction.sentTo(session).slice(sentBefore);
    // The length of a text that is still being generated is unknown: it counts as 0 bytes.
    const text = typeof answer === 'string' ? answer : '';
    record({ allowed: true, bytes: bytesOf(name, body, text, sent), ...unindexed(name, text) });
    return answer;
  } catch (error) {
    if (error instanceof RequestError) record({ allowed: error.code !== 'access/denied', bytes: 0 });
    throw error;
  }
}

function bytesOf(
  name: OperationName,
  body: Fields,
  answer: string,
  sent: readonly { readonly text: string }[],
): number {
  switch (name) {
    case 'realtime-read':
      return Buffer.byteLength(answer);
    case 'listener-listen':
      return sent.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    case 'listener-unlisten':
      return 0;
    default: {
      const data = body['d'];
      if (data instanceof LongJson) return Buffer.byteLength(data.text);
      return data === null || data === undefined ? 0 : Buffer.byteLength(canonicalJson(data));
    }
  }
}

/** Returns whether the query of a listen has no index. The response to the listen then contains a warning. */
function unindexed(name: OperationName, answer: string): Pick<Operation, 'unIndexed'> {
  return name === 'listener-listen' ? { unIndexed: answer.includes('"no_index"') } : {};
}

function queryOrder(body: Fields): QueryOrder {
  const index = textOf(findQueryObject(body), 'i');
  if (index === undefined || index.startsWith('.')) return { index: {}, orderBy: index ?? '.priority' };
  return { index: { path: index.split('/') } };
}

/** Returns a text field of a client's data. The data may have any form, because rejected requests are recorded too. */
function textOf(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const text = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof text === 'string' ? text : undefined;
}
