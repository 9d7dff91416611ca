import { parsePath, parseWritePath } from '@hearth/core/tree/path.ts';
import type { Turn } from '../../commit/turn.ts';
import { changeQueue } from '../../database/disconnect-queue.ts';
import { type DraftWrite, parseSet, parseUpdate } from '../../database/draft-write.ts';
import { mustBeAllowedNow } from '../../database/write.ts';
import type { OperationName } from '../../denials/operation-name.ts';
import type { Action, ActionSession } from '../action.ts';
import { mustBeString, mustHave } from '../fields.ts';

/** Remembers a set for when the client disconnects. */
export const setOnDisconnect: Action = (session, turn, body) => {
  rememberAll(session, turn, 'onDisconnectPut', [
    parseSet(parseWritePath(mustBeString(body, 'p')), mustHave(body, 'd')),
  ]);
  return '""';
};

/** Remembers an update for when the client disconnects. */
export const mergeOnDisconnect: Action = (session, turn, body) => {
  rememberAll(session, turn, 'onDisconnectMerge', parseUpdate(parsePath(mustBeString(body, 'p')), body['d']));
  return '""';
};

/** Forgets what is remembered at a path and below. */
export const cancelOnDisconnect: Action = (session, turn, body) => {
  const { path } = parseWritePath(mustBeString(body, 'p'));
  changeQueue(turn, session, (pending) => pending.forget(path));
  return '""';
};

function rememberAll(
  session: ActionSession,
  turn: Turn,
  operation: OperationName,
  writes: readonly DraftWrite[],
): void {
  const { database, identity } = session;
  mustBeAllowedNow(turn, database, { operation, identity }, writes);
  changeQueue(turn, session, (pending) => {
    for (const write of writes) pending.remember(write);
  });
}
