import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type DraftWrite, parseSet } from '../../database/draft-write.ts';
import { ADMIN } from '../../identity/identity.ts';
import type { DataLocation } from '../data-location.ts';
import type { DataRequest } from '../data-request.ts';
import { decodeBody, parseBody } from '../request-body.ts';
import { findWrittenJson } from '../written-json.ts';
import { readData } from './data-read.ts';

/** `PUT /<path>.json`: replaces the node; answers what stands there now. */
export async function setData(request: DataRequest): Promise<string> {
  const { databases, namespace, identity, location } = request;
  const write = parseValue(location, parseBody(decodeBody(request.body)));
  const commit = await databases.write(namespace, { identity, writes: [write] });
  // What the write left unchanged is what it would have written, so the writer may see it whatever the rules of reading.
  return findWrittenJson(write, commit) ?? readData({ ...request, identity: ADMIN });
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
