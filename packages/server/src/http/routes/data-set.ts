import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type DraftWrite, parseSet } from '../../database/draft-write.ts';
import { type JsonAnswer, wholeText } from '../answer.ts';
import { beginJson } from '../begin-json.ts';
import { writeConditionally } from '../conditional-write.ts';
import type { DataLocation } from '../data-location.ts';
import type { DataRequest } from '../data-request.ts';
import { decodeBody, parseBody } from '../request-body.ts';
import { holdWritten } from '../written-body.ts';
import { findWrittenJson } from '../written-json.ts';

/** `PUT /<path>.json`: replaces the node; answers what stands there now. */
export async function setData(request: DataRequest): Promise<JsonAnswer> {
  const held = await holdWritten(request);
  if (held.kind === 'long') {
    await setLongData(request, held.chunks);
    return { json: await readWritten(request) };
  }
  const write = parseValue(request.location, parseBody(decodeBody(held.bytes)));
  const result = await writeConditionally(request, write);
  if (result.kind === 'stale') return result.answer;
  const text = findWrittenJson(write, result.commit);
  return { headers: result.headers, json: text === undefined ? await readWritten(request) : wholeText(text) };
}

/** Stores a long body as it comes, out of sight, and puts it in place when it is complete. */
export async function setLongData(
  { imports, namespace, operation, identity, location, parameters }: DataRequest,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const { areTriggersDisabled } = parameters;
  const { path } = location;
  await imports.stageSet(namespace, { operation, identity, path, areTriggersDisabled }, chunks);
}

/**
 * What stands there now, which may be somebody else's by now: `null` where it cannot be read. The write is made, and no
 * refusal of this may look like one of that.
 */
async function readWritten({
  databases,
  namespace,
  identity,
  location,
  parameters,
}: DataRequest): Promise<JsonAnswer['json']> {
  if (parameters.print === 'silent') return wholeText('null');
  try {
    const { json } = await databases.read(namespace, {
      operation: 'GET',
      isFollowUp: true,
      identity,
      path: location.path,
      form: parameters.form,
      selection: { kind: location.isPriority ? 'priority' : 'node' },
      wantsHash: false,
      timeoutMs: parameters.timeoutMs,
    });
    return await beginJson(json);
  } catch (error) {
    if (error instanceof Refusal) return wholeText('null');
    throw error;
  }
}

/** A written value; bad keys in it are told in the words that clients of REST know. */
export function parseValue(location: DataLocation, json: unknown): DraftWrite {
  try {
    return parseSet(location, json);
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === 'key/invalid')
      throw new Refusal('value/unparsable', undefined, { cause });
    throw cause;
  }
}
