import { parsePath } from '@hearth/core/tree/path.ts';
import { parseUpdate } from '../../database/draft-write.ts';
import { decideWrite } from '../../database/write.ts';
import type { Action } from '../action.ts';
import { findExpectedHash, mustBeString } from '../fields.ts';

/** Replaces what stands at several paths, all or none. */
export const merge: Action = (session, turn, body) => {
  const base = parsePath(mustBeString(body, 'p'));
  const hash = findExpectedHash(body);
  decideWrite(turn, session.database, {
    operation: 'merge',
    identity: session.identity,
    writes: parseUpdate(base, body['d']),
    ...(hash === undefined ? {} : { expected: { path: base, hash } }),
  });
  return '""';
};
