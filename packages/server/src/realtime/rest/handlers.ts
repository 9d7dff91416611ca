import type { ServerResponse } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { parseKey } from '@hearth/core/tree/key.ts';
import type { JsonAnswer } from '../../http/response.ts';
import type { Selection } from '../database/tree-view.ts';
import type { EventStreams } from './event-streams.ts';
import { hasQueryParameters, parseLimits, parseRestQuery } from './query.ts';
import { type DataRequest, etagHeaders, rejectEtag, rejectExpectedHash } from './request.ts';

/**
 * Handles `GET /<path>.json`. Returns the node, the result of a query, the keys of the node, or its priority;
 * `null` if there is none.
 */
export async function readData(request: DataRequest): Promise<JsonAnswer> {
  const { databases, namespace, operation, identity, networkOf, location, parameters, condition } = request;
  rejectExpectedHash(condition, 'GET');
  const selection = parseSelection(request);
  if (selection.kind !== 'node') rejectEtag(condition, 'with a query, shallow or a priority');
  const { json, hash } = await databases.read(namespace, {
    operation,
    identity,
    networkOf,
    path: location.path,
    form: parameters.form,
    selection,
    wantsHash: condition.wantsEtag,
    timeoutMs: parameters.timeoutMs,
  });
  return { headers: etagHeaders(hash), json };
}

function parseSelection({ location, parameters, query }: DataRequest): Selection {
  if (location.isPriority) {
    if (parameters.isShallow || hasQueryParameters(query))
      throw new RequestError(
        'http/parameter',
        'A priority is a single value. It has no keys and cannot be queried.',
      );
    return { kind: 'priority' };
  }
  if (parameters.isShallow) return parseShallow(parameters.form, query);
  const restQuery = parseRestQuery(query);
  return restQuery === null ? { kind: 'node' } : { kind: 'query', query: restQuery };
}

/** Parameters for paging through keys, as the official command-line tool uses them. */
const PAGING_PARAMETERS: ReadonlySet<string> = new Set(['limitToFirst', 'startAfter']);

function parseShallow(form: 'plain' | 'export', query: URLSearchParams): Selection {
  const others = ['orderBy', 'startAt', 'endAt', 'endBefore', 'equalTo', 'limitToLast'];
  if (form === 'export' || others.some((name) => query.has(name)))
    throw new RequestError(
      'http/parameter',
      `shallow can be combined only with ${[...PAGING_PARAMETERS].join(' and ')}.`,
    );
  const startAfter = query.get('startAfter');
  return {
    kind: 'shallow',
    startAfter: startAfter === null ? null : parseRawKey(startAfter),
    limit: parseLimits(query).limit,
  };
}

/** Parses a key that is either raw, as the official command-line tool sends it, or a JSON string. */
function parseRawKey(text: string): string {
  return parseKey(/^".*"$/s.test(text) ? String(parseQuoted(text)) : text);
}

function parseQuoted(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return text;
    throw cause;
  }
}

/**
 * Handles `GET /<path>.json` with `Accept: text/event-stream`. Streams the node or the result of a query, and
 * every later change. `checkedUntilMs` is the result of `checkApp`.
 */
export async function streamData(
  request: DataRequest,
  checkedUntilMs: number,
  response: ServerResponse,
  streams: EventStreams,
): Promise<void> {
  const { databases, namespace, identity, networkOf, location, parameters, query } = request;
  requireStreamable(request);
  const listen = {
    identity,
    networkOf,
    path: location.path,
    query: parseRestQuery(query),
    form: parameters.form,
    checkedUntilMs,
  };
  const stream = streams.open(response, listen, namespace, databases.trafficOf(namespace));
  await databases.listen(namespace, stream.listen);
}

/**
 * Throws `http/parameter` if the request has options that apply only to a single response, or addresses a
 * priority.
 */
function requireStreamable({ condition, location, parameters }: DataRequest): void {
  rejectExpectedHash(condition, 'GET');
  rejectEtag(condition, 'for a stream');
  const { print, isShallow, callback, download } = parameters;
  if (print !== 'plain' || isShallow || callback !== null || download !== null)
    throw new RequestError(
      'http/parameter',
      'A stream cannot be combined with print, shallow, callback or download.',
    );
  if (location.isPriority)
    throw new RequestError(
      'http/parameter',
      'A priority cannot be streamed. Stream its node with format=export.',
    );
}
