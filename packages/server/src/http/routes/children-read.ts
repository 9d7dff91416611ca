import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Explorer } from '../../database/explorer.ts';
import { type Answer, wholeText } from '../answer.ts';
import type { ApiRequest } from '../api-request.ts';
import {
  findKeyParameter,
  mustKnowParameters,
  parseChoiceParameter,
  parseLimitParameter,
  parsePathParameter,
} from '../explorer-parameters.ts';
import { feedAnswer } from '../feed-answer.ts';
import { segmentNamespace } from '../segment-namespace.ts';
import { findStandIn } from '../stand-in.ts';

const PLACES = ['from', 'after', 'before', 'last'];
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

type Place = Parameters<Explorer['readChildren']>[2];

/**
 * `GET /api/databases/<database>/children`: a page of the children of a node, which as a stream of events follows changes;
 * with `as`, what rules let somebody else read of it.
 */
export async function readChildren(request: ApiRequest): Promise<Answer> {
  const { backend, identity, query, wantsEvents } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, ['path', ...PLACES, 'limit', 'as']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const path = parsePathParameter(query);
  const place = parsePlace(query);
  const standIn = findStandIn(request);
  const { livePages } = backend;
  if (wantsEvents) return feedAnswer(livePages.open(identity, database, { path, place, limit }, standIn));
  const judge = standIn && livePages.judgeOf(database, standIn);
  const json = backend.explorer.readChildren(database, path, place, limit, judge);
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: wholeText(json),
  };
}

function parsePlace(query: URLSearchParams): Place {
  const given = PLACES.filter((name) => query.has(name));
  if (given.length > 1)
    throw new Refusal('http/parameter', `A page has one place: ${given.join(' and ')} exclude each other.`);
  if (parseChoiceParameter(query, 'last', ['false', 'true']) === 'true') return { kind: 'last' };
  for (const kind of ['from', 'after', 'before'] as const) {
    const key = findKeyParameter(query, kind);
    if (key !== undefined) return { kind, key };
  }
  return { kind: 'first' };
}
