import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parsePath, ROOT } from '@hearth/core/tree/path.ts';
import { parseUpdate } from '../../database/draft-write.ts';
import type { ExpectedNode } from '../../database/expected-node.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { NULL_ETAG } from '../condition.ts';
import { mustKnowParameters } from '../explorer-parameters.ts';
import { parseBody, readBodyText } from '../request-body.ts';
import { segmentNamespace } from '../segment-namespace.ts';
import { findStandIn } from '../stand-in.ts';

/** Most places that may be expected to be as they were; each is hashed within one turn. */
const MAX_EXPECTED = 1_000;

/**
 * `POST /api/databases/<database>/changes` with `{"changes":{path: value},"expected":{path: ETag}}`: replaces what stands
 * at all of the places, if each that is expected has its hash; else refuses with `write/stale` and changes nothing. With
 * `as`, rules judge it as if somebody else wrote.
 */
export async function writeChanges(request: ApiRequest): Promise<Answer> {
  const { backend, identity, query, body, maxBodyBytes } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, ['as']);
  const { changes, expected } = parseMembers(parseBody(await readBodyText(body, maxBodyBytes)));
  await backend.databases.write(database, {
    operation: 'PATCH',
    identity: findStandIn(request) ?? identity,
    writes: parseUpdate(ROOT, changes),
    alsoExpected: parseExpected(expected),
  });
  return jsonAnswer({});
}

function parseMembers(json: unknown): { readonly changes: unknown; readonly expected: unknown } {
  if (typeof json === 'object' && json !== null && 'changes' in json)
    return { changes: json.changes, expected: 'expected' in json ? json.expected : {} };
  throw new Refusal(
    'request/malformed',
    'The body must be {"changes":{path: value},"expected":{path: ETag}}.',
  );
}

function parseExpected(json: unknown): readonly ExpectedNode[] {
  const entries = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  if (entries.length > MAX_EXPECTED)
    throw new Refusal(
      'request/malformed',
      `At most ${MAX_EXPECTED} places may be expected to be as they were.`,
    );
  return entries.map(([path, hash]: [string, unknown]) => {
    if (typeof hash !== 'string' || hash === '')
      throw new Refusal(
        'request/malformed',
        'A member of "expected" must be an ETag; that of nothing is null_etag.',
      );
    return { path: parsePath(path), hash: hash === NULL_ETAG ? '' : hash };
  });
}
