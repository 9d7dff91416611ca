import { Refusal } from '@hearth/core/fault/refusal.ts';
import { WRITE_SIZE_LIMIT_BYTES } from '../database/write-size-limit.ts';
import type { DataRequest } from './data-request.ts';
import { decodeBody, type HeldBody, holdBody } from './request-body.ts';

/** Longest body that is decided on in one turn, in bytes; a longer one is stored in parts while it comes. */
const MAX_HELD_BYTES = 2 ** 20;

/**
 * The body of a write. It is `long` only where it may be stored in parts: a whole node, unconditionally,
 * and decided by rules that do not look at it. Refuses with
 * `write/too-big` more than the request, or else the database, lets one write bring along.
 */
export async function holdWritten(request: DataRequest): Promise<HeldBody> {
  const { databases, namespace, identity, location, condition } = request;
  const mayBeLong =
    !location.isPriority &&
    condition.expectedHash === null &&
    !condition.wantsEtag &&
    databases.mayBeUnseen(namespace, location.path, identity);
  if (!mayBeLong) return { kind: 'whole', bytes: await holdWhole(request) };
  const limitBytes = findLimitBytes(request);
  mustFit(request, limitBytes);
  const held = await holdBody(request.body, Math.min(limitBytes, MAX_HELD_BYTES));
  return held.kind === 'whole' ? held : { kind: 'long', chunks: limitChunks(held.chunks, limitBytes) };
}

/** The text of a write that is decided on at once. */
export async function readWrittenText(request: DataRequest): Promise<string> {
  return decodeBody(await holdWhole(request));
}

async function holdWhole(request: DataRequest): Promise<Buffer> {
  const limitBytes = findLimitBytes(request);
  mustFit(request, limitBytes);
  const held = await holdBody(request.body, Math.min(limitBytes, request.maxBodyBytes));
  if (held.kind === 'whole') return held.bytes;
  throw new Refusal(limitBytes < request.maxBodyBytes ? 'write/too-big' : 'request/too-big');
}

/** Refuses a body that says itself that it is too long, before any of it is taken. */
function mustFit({ body }: DataRequest, limitBytes: number): void {
  if (body.announcedBytes !== null && body.announcedBytes > limitBytes) throw new Refusal('write/too-big');
}

function findLimitBytes({ databases, namespace, parameters }: DataRequest): number {
  return WRITE_SIZE_LIMIT_BYTES[parameters.writeSizeLimit ?? databases.writeSizeLimit(namespace)];
}

async function* limitChunks(chunks: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw new Refusal('write/too-big');
    yield chunk;
  }
}
