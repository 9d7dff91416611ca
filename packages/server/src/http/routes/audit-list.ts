import { Refusal } from '@hearth/core/fault/refusal.ts';
import { isEntryId } from '../../audit/audit-book.ts';
import type { AuditSearch } from '../../audit/audit-search.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters, parseLimitParameter } from '../explorer-parameters.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** Ids of projects, in any of their forms. */
const PROJECT_ID = /^[a-z0-9:._-]{1,128}$/i;

/** `GET /api/projects/<project>/audit`: what mattered to security there, the latest first. */
export async function listAudit({ backend, segments, query }: ApiRequest): Promise<Answer> {
  const project = segments['project'] ?? '';
  if (!PROJECT_ID.test(project))
    throw new Refusal('http/parameter', `${JSON.stringify(project)} is the id of no project.`);
  return jsonAnswer(await backend.audit.search(project, parseSearch(query)));
}

/** `GET /api/audit`: the same of what is about no project in particular. */
export async function listServerAudit({ backend, query }: ApiRequest): Promise<Answer> {
  return jsonAnswer(await backend.audit.search(null, parseSearch(query)));
}

function parseSearch(query: URLSearchParams): AuditSearch {
  mustKnowParameters(query, [
    'before',
    'since',
    'until',
    'limit',
    'event',
    'uid',
    'actor',
    'result',
    'requestId',
  ]);
  const before = query.get('before');
  if (before !== null && !isEntryId(before))
    throw new Refusal('http/parameter', 'The query parameter before must be the id of an entry.');
  return {
    limit: parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT),
    before,
    sinceMs: parseTime(query, 'since'),
    untilMs: parseTime(query, 'until'),
    filter: {
      event: query.get('event'),
      uid: query.get('uid'),
      actor: query.get('actor'),
      result: query.get('result'),
      requestId: query.get('requestId'),
    },
  };
}

function parseTime(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (!/^[0-9]{1,15}$/.test(text))
    throw new Refusal(
      'http/parameter',
      `The query parameter ${name} must be a time in milliseconds since 1970.`,
    );
  return Number(text);
}
