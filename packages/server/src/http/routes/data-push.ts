import { parsePathSegments } from '@hearth/core/tree/path.ts';
import { type JsonAnswer, wholeText } from '../answer.ts';
import { refuseExpectedHash } from '../condition.ts';
import { writeConditionally } from '../conditional-write.ts';
import { nodeLocation } from '../data-location.ts';
import type { DataRequest } from '../data-request.ts';
import { decodeBody, parseBody } from '../request-body.ts';
import { holdWritten } from '../written-body.ts';
import { parseValue, setLongData } from './data-set.ts';

/** `POST /<path>.json`: adds a child whose name sorts after all earlier ones; answers the name. */
export async function pushData(request: DataRequest): Promise<JsonAnswer> {
  refuseExpectedHash(request.condition, 'POST');
  const parent = nodeLocation(request.location);
  const held = await holdWritten(request);
  const name = request.databases.createPushKey();
  const child = { ...request, location: { path: parsePathSegments([...parent, name]), isPriority: false } };
  const json = wholeText(JSON.stringify({ name }));
  if (held.kind === 'long') {
    await setLongData(child, held.chunks);
    return { json };
  }
  const write = parseValue(child.location, parseBody(decodeBody(held.bytes)));
  const result = await writeConditionally(child, write);
  return result.kind === 'stale' ? result.answer : { headers: result.headers, json };
}
