import { parseSet } from '../../database/draft-write.ts';
import type { JsonAnswer } from '../answer.ts';
import { wholeText } from '../answer.ts';
import { writeConditionally } from '../conditional-write.ts';
import type { DataRequest } from '../data-request.ts';

/** `DELETE /<path>.json`: removes the node, or its priority. */
export async function removeData(request: DataRequest): Promise<JsonAnswer> {
  const result = await writeConditionally(request, parseSet(request.location, null));
  return result.kind === 'stale' ? result.answer : { headers: result.headers, json: wholeText('null') };
}
