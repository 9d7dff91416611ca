import type { RefusalCode } from '@hearth/core/fault/codes.ts';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import { type DraftWrite, parseSet, parseUpdate } from '../../database/draft-write.ts';
import { type JsonAnswer, wholeText } from '../answer.ts';
import { refuseEtag, refuseExpectedHash } from '../condition.ts';
import { nodeLocation } from '../data-location.ts';
import type { DataRequest } from '../data-request.ts';
import { parseBody } from '../request-body.ts';
import { readWrittenText } from '../written-body.ts';

/**
 * `PATCH /<path>.json`: replaces what stands at each path of an object, all at once; answers the object as it came.
 * A body of `null` deletes the node, which is how the official command line deletes.
 */
export async function updateData(request: DataRequest): Promise<JsonAnswer> {
  const { databases, namespace, operation, identity, condition, parameters } = request;
  refuseExpectedHash(condition, 'PATCH');
  refuseEtag(condition, 'for PATCH');
  const path = nodeLocation(request.location);
  const text = await readWrittenText(request);
  const { areTriggersDisabled } = parameters;
  const writes = parseWrites(path, text);
  await databases.write(namespace, { operation, identity, writes, areTriggersDisabled });
  return { json: wholeText(text.trim()) };
}

const UNREADABLE: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'value/unparsable',
  'key/invalid',
  'path/invalid',
]);

function parseWrites(path: Path, text: string): readonly DraftWrite[] {
  try {
    const json = parseBody(text);
    return json === null ? [parseSet({ path, isPriority: false }, null)] : parseUpdate(path, json);
  } catch (cause) {
    if (cause instanceof Refusal && UNREADABLE.has(cause.code))
      throw new Refusal('value/not-an-object', undefined, { cause });
    throw cause;
  }
}
