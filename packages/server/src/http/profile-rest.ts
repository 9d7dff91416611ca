import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { OperationName, Profiler } from '../database/profiler.ts';
import type { JsonStream } from '../database/read-request.ts';
import type { JsonAnswer } from './answer.ts';
import type { DataRequest, DataRoute } from './data-request.ts';
import { mapJson } from './map-json.ts';

const OPERATIONS: ReadonlyMap<string, OperationName> = new Map([
  ['GET', 'rest-read'],
  ['HEAD', 'rest-read'],
  ['PUT', 'rest-write'],
  ['POST', 'rest-write'],
  ['DELETE', 'rest-write'],
  ['PATCH', 'rest-update'],
]);

/** Carries out a request and, if somebody watches the database, records what it was and what it took. */
export async function runProfiledRest(
  profiler: Profiler | null,
  method: string,
  request: DataRequest,
  run: DataRoute,
): Promise<JsonAnswer> {
  const name = OPERATIONS.get(method);
  if (profiler === null || name === undefined) return run(request);
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
    record(true, method === 'DELETE' ? 0 : (request.body.announcedBytes ?? 0));
    return answer;
  } catch (error) {
    if (error instanceof Refusal) record(error.code !== 'access/denied', 0);
    throw error;
  }
}

/** The same text, whose length in bytes is told when it is known. */
function countBytes(json: JsonStream, tell: (bytes: number) => void): JsonStream {
  return mapJson(json, {
    whole: (bytes) => {
      tell(bytes.length);
      return bytes;
    },
    parts: (parts) => countParts(parts, tell),
  });
}

async function* countParts(
  parts: AsyncIterable<Buffer>,
  tell: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  try {
    for await (const part of parts) {
      bytes += part.length;
      yield part;
    }
  } finally {
    tell(bytes);
  }
}
