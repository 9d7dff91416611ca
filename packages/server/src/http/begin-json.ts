import type { JsonStream } from '../database/read-request.ts';
import { mapParts } from './map-json.ts';

/**
 * The same text, its first part made: what cannot be read is refused before anything of the answer has left. Rejects as the
 * text does.
 */
export async function beginJson(json: JsonStream): Promise<JsonStream> {
  if (json.kind === 'whole') return json;
  const first = await json.parts.next();
  return mapParts(json, async function* (rest) {
    if (first.done !== true) yield first.value;
    yield* rest;
  });
}
