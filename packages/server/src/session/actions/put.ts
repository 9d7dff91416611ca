import { parseWritePath } from '@hearth/core/tree/path.ts';
import { parseSet } from '../../database/draft-write.ts';
import { decideWrite } from '../../database/write.ts';
import type { Action } from '../action.ts';
import { findExpectedHash, mustBeString, mustHave } from '../fields.ts';

/** Replaces what stands at a path; with a hash, only if that is what the client believes. */
export const put: Action = (session, turn, body) => {
  const target = parseWritePath(mustBeString(body, 'p'));
  const hash = findExpectedHash(body);
  decideWrite(turn, session.database, {
    operation: hash === undefined ? 'put' : 'transaction',
    identity: session.identity,
    writes: [parseSet(target, mustHave(body, 'd'))],
    ...(hash === undefined ? {} : { expected: { path: target.path, hash } }),
  });
  return '""';
};
