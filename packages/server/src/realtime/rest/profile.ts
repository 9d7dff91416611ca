import { RequestError } from '@hearth/core/error/request-error.ts';
import { countBytes } from '../../http/json-output.ts';
import type { Answer, JsonAnswer } from '../../http/response.ts';
import type { OperationName, Profiler } from '../monitoring/profiler.ts';
import type { DataRequest, DataRoute, SettingsRequest } from './request.ts';

const OPERATIONS: ReadonlyMap<string, OperationName> = new Map([
  ['GET', 'rest-read'],
  ['HEAD', 'rest-read'],
  ['PUT', 'rest-write'],
  ['POST', 'rest-write'],
  ['DELETE', 'rest-write'],
  ['PATCH', 'rest-update'],
]);

/** Executes a request. If the database has a profiler, records the operation and its cost. */
export function runProfiledRest(
  profiler: Profiler | null,
  method: string,
  request: DataRequest,
  run: DataRoute,
): Promise<JsonAnswer> {
  const name = OPERATIONS.get(method);
  return profiler === null || name === undefined ? run(request) : runRecorded(profiler, name, request, run);
}

async function runRecorded(
  profiler: Profiler,
  name: OperationName,
  request: DataRequest,
  run: DataRoute,
): Promise<JsonAnswer> {
  const startedMs = profiler.elapsedMs();
  const record = (allowed: boolean, bytes: number): void =>
    profiler.record({
      name,
      path: request.location.path,
      bytes,
      millis: profiler.elapsedMs() - startedMs,
      allowed,
    });
  try {
    const answer = await run(request);
    if (name === 'rest-read')
      return { ...answer, json: countBytes(answer.json, (bytes) => record(true, bytes)) };
    record(true, request.operation === 'DELETE' ? 0 : (request.body.announcedBytes ?? 0));
    return answer;
  } catch (error) {
    if (error instanceof RequestError) record(error.code !== 'access/denied', 0);
    throw error;
  }
}

/**
 * Handles `GET /.settings/profile.json`. Streams the operations on the database as events until the client
 * disconnects or its credential becomes invalid.
 */
export async function watchProfile({ profiling, identity, namespace }: SettingsRequest): Promise<Answer> {
  const parts = await profiling.watch(identity, namespace);
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    body: { kind: 'parts', parts },
  };
}
