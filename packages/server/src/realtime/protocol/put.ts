import { parseWritePath, type WriteTarget } from '@hearth/core/tree/path.ts';
import type { Fields } from '@hearth/core/wire/client-messages.ts';
import { LongJson } from '@hearth/core/wire/long-message.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { StoredContext } from '../database/authorize.ts';
import { type Database, PostponedRequest } from '../database/database.ts';
import { requireMayLink } from '../database/linked-write.ts';
import { executeWrite } from '../database/write.ts';
import { parseSet } from '../database/write-input.ts';
import type { StagedValue } from '../import/import.ts';
import {
  type Action,
  type ActionSession,
  contextOf,
  findExpected,
  requireData,
  requireString,
} from './action.ts';

/** A long value that is being written. */
interface Staged {
  readonly value: StagedValue;
  /** Number of times that the value has been stored. */
  readonly attempts: number;
}

/** The staged write of each long value that is being written. */
const STAGED = new WeakMap<LongJson, Staged>();

/** Number of times that a value is stored, because data that its increments add to changed before it was written. */
const MAX_STAGINGS = 3;

/**
 * Writes one path. With a hash, only if the stored data match it. A long value is stored in steps, and linked in the
 * transaction that answers the request.
 */
export const put: Action = (session, transaction, body) => {
  const target = parseWritePath(requireString(body, 'p'));
  const expected = findExpected(body, target.path);
  const context: StoredContext = {
    ...contextOf(session, expected === undefined ? 'put' : 'transaction'),
    ...(expected === undefined ? {} : { expected }),
  };
  if (!putInSteps(session, transaction, target, context, body))
    executeWrite(transaction, session.database, {
      ...context,
      writes: [parseSet(target, requireData(session, body))],
    });
  return '""';
};

/**
 * Writes a long value that is stored in steps, or throws `PostponedRequest` until it is stored. Returns false if the
 * write has to be executed at once, because only the value itself can decide or complete it.
 */
function putInSteps(
  session: ActionSession,
  transaction: WriteTransaction,
  { path, isPriority }: WriteTarget,
  context: StoredContext,
  body: Fields,
): boolean {
  const json = body['d'];
  const { stagedWrites, database } = session;
  if (!(json instanceof LongJson) || stagedWrites === null || isPriority) return false;
  const mayStage = database.triggers?.isEmpty !== false;
  const staged = STAGED.get(json);
  if (staged === undefined) {
    if (!mayStage) return false;
    requireMayLink(transaction, database, context, path);
  } else {
    const { value, attempts } = staged;
    // The triggers may have changed in the meantime.
    if (mayStage && !value.wasDropped && !value.isOutdated) {
      finishStaged(value, transaction, database, context);
      return true;
    }
    const mayRepeat = mayStage && value.isOutdated && attempts < MAX_STAGINGS;
    value.drop(transaction);
    if (!mayRepeat) return false;
  }
  const value = stagedWrites.stageValue(database.name, path, json.text, session.network);
  STAGED.set(json, { value, attempts: (staged?.attempts ?? 0) + 1 });
  throw new PostponedRequest(value);
}

/** Writes a stored value. While the request waits for other work, the end of the session also drops the value. */
function finishStaged(
  staged: StagedValue,
  transaction: WriteTransaction,
  database: Database,
  context: StoredContext,
): void {
  try {
    staged.finish(transaction, database, context);
  } catch (error) {
    if (!(error instanceof PostponedRequest)) throw error;
    const { wait } = error;
    throw new PostponedRequest({
      run: () => wait.run(),
      stop: () => {
        wait.stop();
        staged.stop();
      },
    });
  }
}
