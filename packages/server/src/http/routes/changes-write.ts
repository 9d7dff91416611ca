import { Refusal } from '@hearth/core/fault/refusal.ts';
import { formatPath, parsePath, ROOT } from '@hearth/core/tree/path.ts';
import { parseUpdate } from '../../database/draft-write.ts';
import type { ExpectedNode } from '../../database/expected-node.ts';
import { StaleWrite } from '../../database/write-conditions.ts';
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
 * `POST /api/databases/<database>/changes` with `{"changes":{path: value},"expected":{path: ETag},"keepsValues":boolean}`:
 * replaces what stands at all of the places, if each that is expected has its hash; else refuses with `write/stale`, telling
 * which have another, and changes nothing. With `as`, rules judge it as if somebody else wrote.
 */
export async function writeChanges(request: ApiRequest): Promise<Answer> {
  const { backend, identity, query, body, maxBodyBytes } = request;
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(query, ['as']);
  const { changes, expected, keepsValues } = parseMembers(parseBody(await readBodyText(body, maxBodyBytes)));
  try {
    await backend.databases.write(database, {
      operation: 'PATCH',
      identity: findStandIn(request) ?? identity,
      writes: parseUpdate(ROOT, changes),
      conditions: { expected: parseExpected(expected), keepsValues },
    });
  } catch (error) {
    if (error instanceof StaleWrite) return staleAnswer(error);
    throw error;
  }
  return jsonAnswer({});
}

/** As any refusal, and with what is there. */
function staleAnswer({ message, code, spec, found }: StaleWrite): Answer {
  const stale = found.map(({ path, hash }) => [`/${formatPath(path)}`, hash === '' ? NULL_ETAG : hash]);
  return jsonAnswer({ error: message, code, stale: Object.fromEntries(stale) }, spec.http);
}

interface Members {
  readonly changes: unknown;
  readonly expected: unknown;
  readonly keepsValues: boolean;
}

function parseMembers(json: unknown): Members {
  if (typeof json === 'object' && json !== null && 'changes' in json) {
    const { changes } = json;
    const expected = 'expected' in json ? json.expected : {};
    const keepsValues = 'keepsValues' in json ? json.keepsValues : false;
    if (typeof keepsValues === 'boolean') return { changes, expected, keepsValues };
  }
  throw new Refusal(
    'request/malformed',
    'The body must be {"changes":{path: value},"expected":{path: ETag},"keepsValues":boolean}.',
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
