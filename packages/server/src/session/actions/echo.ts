import { Refusal } from '@hearth/core/fault/refusal.ts';
import { canonicalJson } from '@hearth/core/query/canonical-json.ts';
import { isNestedDeeperThan } from '@hearth/core/wire/nesting.ts';
import type { Action } from '../action.ts';

/** As deep as data may be. */
const MAX_LEVELS = 32;

/** Answers with what was sent, for clients' own tests. */
export const echo: Action = (_session, _turn, body) => {
  const json = body['d'];
  if (isNestedDeeperThan(json, MAX_LEVELS))
    throw new Refusal('request/malformed', `The member "d" is nested deeper than ${MAX_LEVELS} levels.`);
  return canonicalJson(json);
};
