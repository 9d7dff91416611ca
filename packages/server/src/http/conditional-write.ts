import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { DraftWrite } from '../database/draft-write.ts';
import type { Commit } from '../log/commit.ts';
import type { Headers, JsonAnswer } from './answer.ts';
import { beginJson } from './begin-json.ts';
import { etagHeaders } from './condition.ts';
import { nodeLocation } from './data-location.ts';
import type { DataRequest } from './data-request.ts';

/** What became of the only write of a request. */
export type ConditionalResult =
  | { readonly kind: 'written'; readonly commit: Commit | null; readonly headers: Headers }
  /** The node is not what the client thinks it is: the answer shows what it is. */
  | { readonly kind: 'stale'; readonly answer: JsonAnswer };

/** Carries out the only write of a `PUT` or `DELETE`, if the node is still what the request says it is. */
export async function writeConditionally(
  request: DataRequest,
  write: DraftWrite,
): Promise<ConditionalResult> {
  const { databases, namespace, operation, identity, location, parameters, condition } = request;
  const { expectedHash, wantsEtag } = condition;
  const isAboutHash = expectedHash !== null || wantsEtag;
  const path = isAboutHash ? nodeLocation(location) : location.path;
  if (expectedHash !== null && parameters.print === 'silent')
    throw new Refusal(
      'http/parameter',
      'if-match does not go together with print=silent: the answer may be data.',
    );
  try {
    const { commit, hash } = await databases.write(namespace, {
      operation,
      identity,
      writes: [write],
      areTriggersDisabled: parameters.areTriggersDisabled,
      ...(expectedHash === null ? {} : { expected: { path, hash: expectedHash } }),
      ...(wantsEtag ? { hashOf: path } : {}),
    });
    return { kind: 'written', commit, headers: etagHeaders(hash) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'write/stale') throw error;
    return { kind: 'stale', answer: await showCurrent(request, error) };
  }
}

/** The state that a refused write has met, for clients to decide anew. Where it cannot be read, it is only told to be another. */
async function showCurrent(
  { databases, namespace, identity, location, parameters }: DataRequest,
  stale: Refusal,
): Promise<JsonAnswer> {
  try {
    const { json, hash } = await databases.read(namespace, {
      operation: 'GET',
      isFollowUp: true,
      identity,
      path: location.path,
      form: 'plain',
      selection: { kind: 'node' },
      wantsHash: true,
      timeoutMs: parameters.timeoutMs,
    });
    const { http: status } = stale.spec;
    return { status, headers: etagHeaders(hash), json: await beginJson(json) };
  } catch (error) {
    throw error instanceof Refusal ? stale : error;
  }
}
