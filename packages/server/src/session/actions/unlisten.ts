import { canonicalJson } from '@hearth/core/query/canonical-json.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import type { Action } from '../action.ts';
import { findInteger, mustBeString } from '../fields.ts';

/** Ends a listen; ending one that is not there is fine. */
export const unlisten: Action = (session, turn, body) => {
  const path = parsePath(mustBeString(body, 'p'));
  const tag = findInteger(body, 't');
  const listen =
    tag !== undefined
      ? session.listens.findQuery(tag)
      : body['q'] === undefined
        ? session.listens.findDefault(path)
        : session.listens.findQueryAt(path, canonicalJson(body['q']));
  if (listen !== undefined) session.listens.remove(turn, listen);
  return '""';
};
