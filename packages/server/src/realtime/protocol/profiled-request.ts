import { RequestError } from '@hearth/core/error/request-error.ts';
import { canonicalJson } from '@hearth/core/tree/json-text.ts';
import type { Fields } from '@hearth/core/wire/client-messages.ts';
import { LongJson } from '@hearth/core/wire/long-message.ts';
import type { PendingText } from '../../storage/transaction/outgoing-message.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Operation, OperationName, Profiler, QueryOrder } from '../monitoring/profiler.ts';
import { type Action, type ActionSession, findQueryObject } from './action.ts';

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

/** Executes a request. Records the operation and its cost if a profiler is active. */
export function runProfiled(
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

/** The response to a listen contains a warning if the query has no index. */
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
