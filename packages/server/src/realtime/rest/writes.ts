import { RequestError, type RequestErrorCode } from '@hearth/core/error/request-error.ts';
import { plainJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { type Path, parsePathSegments } from '@hearth/core/tree/path.ts';
import { prefetchJson } from '../../http/json-output.ts';
import { type BufferedBody, bufferBody, decodeBody, parseBody } from '../../http/request-body.ts';
import { type Headers, type JsonAnswer, wholeText } from '../../http/response.ts';
import type { Commit } from '../../storage/log/commit.ts';
import {
  type DraftWrite,
  type ExpectedNode,
  MAX_UPDATE_PATHS,
  parseSet,
  parseUpdate,
  WRITE_SIZE_LIMIT_BYTES,
} from '../database/write-input.ts';
import { ParsedText } from '../import/parsed-text.ts';
import { CountedChunks, recordLongWrite, recordWrites } from './recorded-actions.ts';
import {
  type DataLocation,
  type DataRequest,
  etagHeaders,
  nodeLocation,
  rejectEtag,
  rejectExpectedHash,
} from './request.ts';

/** Handles `PUT /<path>.json`. Replaces the node and returns its new value. */
export async function setData(request: DataRequest): Promise<JsonAnswer> {
  const held = await readWriteBody(request);
  if (held.kind === 'long') {
    const result = await writeStreamed(request, held.chunks);
    if (result.kind === 'stale') return result.answer;
    return { headers: result.headers, json: await readAfterWrite(request) };
  }
  const write = parseValue(request.location, await parseJson(request, held.bytes));
  const result = await writeConditionally(request, write);
  if (result.kind === 'stale') return result.answer;
  if (result.commit !== null) recordWrites(request, [write], held.bytes.length);
  const text = findWrittenJson(write, result.commit);
  return {
    headers: result.headers,
    json: text === undefined ? await readAfterWrite(request) : wholeText(text),
  };
}

/**
 * Stores a long body as it arrives, invisible to readers, and replaces the node when the body is complete, if the node has
 * the hash that the request expects.
 */
function writeStreamed(request: DataRequest, chunks: AsyncIterable<Buffer>): Promise<ConditionalResult> {
  const { imports, namespace, operation, identity, networkOf, parameters } = request;
  const { areTriggersDisabled } = parameters;
  const { path, expected, wantsHash } = preconditionOf(request);
  const counted = new CountedChunks(chunks);
  return unlessStale(request, async () => {
    const hash = await imports.stageSet(
      namespace,
      {
        operation,
        identity,
        path,
        areTriggersDisabled,
        network: networkOf(),
        networkOf,
        expected,
        wantsHash,
      },
      counted,
    );
    recordLongWrite(request, counted.bytes);
    return { kind: 'written', commit: null, headers: etagHeaders(hash) };
  });
}

/**
 * Returns the value after a write, which another client may have changed again; `null` if it cannot be read.
 * The write has succeeded, so an error of this read must not look like an error of the write.
 */
async function readAfterWrite({
  databases,
  namespace,
  identity,
  networkOf,
  location,
  parameters,
}: DataRequest): Promise<JsonAnswer['json']> {
  if (parameters.print === 'silent') return wholeText('null');
  try {
    const { json } = await databases.read(namespace, {
      operation: 'GET',
      isFollowUp: true,
      identity,
      networkOf,
      path: location.path,
      form: parameters.form,
      selection: { kind: location.isPriority ? 'priority' : 'node' },
      wantsHash: false,
      timeoutMs: parameters.timeoutMs,
    });
    return await prefetchJson(json);
  } catch (error) {
    if (error instanceof RequestError) return wholeText('null');
    throw error;
  }
}

/**
 * Parses a written value. Throws `value/unparsable` for invalid keys, because REST clients know this error.
 */
function parseValue(location: DataLocation, json: unknown): DraftWrite {
  try {
    return parseSet(location, json);
  } catch (cause) {
    if (cause instanceof RequestError && cause.code === 'key/invalid')
      throw new RequestError('value/unparsable', undefined, { cause });
    throw cause;
  }
}

/**
 * Handles `PATCH /<path>.json`. Replaces the value at each path of an object, all atomically. Returns the
 * object as received. A body of `null` deletes the node; the official command-line tool deletes nodes in this
 * way.
 */
export async function updateData(request: DataRequest): Promise<JsonAnswer> {
  const { databases, namespace, operation, identity, networkOf, condition, parameters } = request;
  rejectExpectedHash(condition, 'PATCH');
  rejectEtag(condition, 'for PATCH');
  const path = nodeLocation(request.location);
  const bytes = await readWholeBody(request);
  const { areTriggersDisabled } = parameters;
  const writes = await parseWrites(request, path, bytes);
  const { commit } = await databases.write(namespace, {
    operation,
    identity,
    networkOf,
    writes,
    areTriggersDisabled,
  });
  if (commit !== null) recordWrites(request, writes, bytes.length);
  return { json: { kind: 'whole', bytes: withoutSpaceAround(bytes) } };
}

/** Returns the JSON text of a body. */
function withoutSpaceAround(body: Buffer): Buffer {
  const start = skipSpace(body);
  let end = body.length;
  while (end > start && isSpace(body[end - 1])) end -= 1;
  return body.subarray(start, end);
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Returns the index of the first byte of the JSON text, or the length of the body. */
function skipSpace(body: Buffer): number {
  const { length } = BYTE_ORDER_MARK;
  let at = BYTE_ORDER_MARK.equals(body.subarray(0, length)) ? length : 0;
  while (isSpace(body[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

const UNREADABLE: ReadonlySet<RequestErrorCode> = new Set<RequestErrorCode>([
  'value/unparsable',
  'key/invalid',
  'path/invalid',
]);

async function parseWrites(request: DataRequest, path: Path, bytes: Buffer): Promise<readonly DraftWrite[]> {
  try {
    const json = await parseJson(request, bytes, MAX_UPDATE_PATHS);
    return json === null ? [parseSet({ path, isPriority: false }, null)] : parseUpdate(path, json);
  } catch (cause) {
    if (cause instanceof RequestError && UNREADABLE.has(cause.code))
      throw new RequestError('value/not-an-object', undefined, { cause });
    throw cause;
  }
}

/** Handles `POST /<path>.json`. Adds a child whose name sorts after all earlier ones. Returns the name. */
export async function pushData(request: DataRequest): Promise<JsonAnswer> {
  rejectExpectedHash(request.condition, 'POST');
  const parent = nodeLocation(request.location);
  const held = await readWriteBody(request);
  const name = request.databases.createPushKey();
  const child = { ...request, location: { path: parsePathSegments([...parent, name]), isPriority: false } };
  const json = wholeText(JSON.stringify({ name }));
  if (held.kind === 'long') {
    const result = await writeStreamed(child, held.chunks);
    return result.kind === 'stale' ? result.answer : { headers: result.headers, json };
  }
  const write = parseValue(child.location, await parseJson(request, held.bytes));
  const result = await writeConditionally(child, write);
  if (result.kind === 'stale') return result.answer;
  recordWrites(child, [write], held.bytes.length);
  return { headers: result.headers, json };
}

/** Handles `DELETE /<path>.json`. Removes the node or its priority. */
export async function removeData(request: DataRequest): Promise<JsonAnswer> {
  const write = parseSet(request.location, null);
  const result = await writeConditionally(request, write);
  if (result.kind === 'stale') return result.answer;
  if (result.commit !== null) recordWrites(request, [write], 0);
  return { headers: result.headers, json: wholeText('null') };
}

/** The result of the only write of a request. */
export type ConditionalResult =
  | { readonly kind: 'written'; readonly commit: Commit | null; readonly headers: Headers }
  /** The node differs from the value that the client expects. The response contains its current value. */
  | { readonly kind: 'stale'; readonly answer: JsonAnswer };

/** The conditions of the only write of a request. */
interface Precondition {
  readonly path: Path;
  readonly expected: ExpectedNode | undefined;
  readonly wantsHash: boolean;
}

/** Throws `http/parameter` or `path/invalid` if the request cannot have its conditions. */
function preconditionOf({ location, parameters, condition }: DataRequest): Precondition {
  const { expectedHash, wantsEtag: wantsHash } = condition;
  const path = expectedHash !== null || wantsHash ? nodeLocation(location) : location.path;
  if (expectedHash !== null && parameters.print === 'silent')
    throw new RequestError(
      'http/parameter',
      'if-match cannot be combined with print=silent, because the response may contain data.',
    );
  return { path, expected: expectedHash === null ? undefined : { path, hash: expectedHash }, wantsHash };
}

/** Executes the only write of a `PUT` or `DELETE` if the node has the hash that the request expects. */
function writeConditionally(request: DataRequest, write: DraftWrite): Promise<ConditionalResult> {
  const { databases, namespace, operation, identity, networkOf, parameters } = request;
  const { path, expected, wantsHash } = preconditionOf(request);
  return unlessStale(request, async () => {
    const { commit, hash } = await databases.write(namespace, {
      operation,
      identity,
      networkOf,
      writes: [write],
      areTriggersDisabled: parameters.areTriggersDisabled,
      expected,
      ...(wantsHash ? { hashOf: path } : {}),
    });
    return { kind: 'written', commit, headers: etagHeaders(hash) };
  });
}

/** Returns the result of a write or, if the node differs from the expected one, its current value. */
async function unlessStale(
  request: DataRequest,
  write: () => Promise<ConditionalResult>,
): Promise<ConditionalResult> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'write/stale') throw error;
    return { kind: 'stale', answer: await staleAnswer(request, error) };
  }
}

/**
 * Returns the state that caused the rejection of a write, so that the client can decide again. Throws the
 * original error if the state cannot be read.
 */
async function staleAnswer(
  { databases, namespace, identity, networkOf, location, parameters }: DataRequest,
  stale: RequestError,
): Promise<JsonAnswer> {
  try {
    const { json, hash } = await databases.read(namespace, {
      operation: 'GET',
      isFollowUp: true,
      identity,
      networkOf,
      path: location.path,
      form: 'plain',
      selection: { kind: 'node' },
      wantsHash: true,
      timeoutMs: parameters.timeoutMs,
    });
    const { http: status } = stale.spec;
    return { status, headers: etagHeaders(hash), json: await prefetchJson(json) };
  } catch (error) {
    throw error instanceof RequestError ? stale : error;
  }
}

/** Maximum size of a body that is processed in one transaction, in bytes. A longer one is stored in parts as it arrives. */
const MAX_BUFFERED_BYTES = 65_536;

/**
 * Like `MAX_BUFFERED_BYTES`, for a body whose write may trigger functions, which receive no value that is stored in
 * parts.
 */
const MAX_TRIGGERING_BYTES = 1_048_576;

/** Longer bodies are parsed in steps, with other work between them, in bytes. */
const MAX_PARSED_AT_ONCE = 65_536;

/**
 * Parses the body of a write. Throws `value/missing` if it is blank, `value/unparsable` if it is not JSON, and
 * `write/too-big` if it is an object with more than `maxMembers` members.
 */
async function parseJson(
  { networkOf }: DataRequest,
  bytes: Buffer,
  maxMembers = Number.POSITIVE_INFINITY,
): Promise<unknown> {
  if (bytes.length <= MAX_PARSED_AT_ONCE) return parseBody(decodeBody(bytes));
  if (skipSpace(bytes) === bytes.length) throw new RequestError('value/missing');
  const parsed = new ParsedText(bytes, { network: networkOf(), maxMembers, memory: null });
  await parsed.run();
  return parsed.finish();
}

/**
 * Reads the body of a write. The result is `long` only if the body may be stored in parts: for a write of a whole node.
 * Throws the errors of `requireFits`.
 */
async function readWriteBody(request: DataRequest): Promise<BufferedBody> {
  const { databases, namespace, identity, location, maxBodyBytes } = request;
  if (location.isPriority) return { kind: 'whole', bytes: await readWholeBody(request) };
  // Rules that read the value read it in one transaction.
  const isLimited = !databases.canAuthorizeWithoutValue(namespace, location.path, identity);
  const limit = findLimit(request, isLimited ? maxBodyBytes : Number.POSITIVE_INFINITY);
  requireFits(request.body.announcedBytes ?? 0, limit);
  const maxBytes = databases.mayTrigger(namespace) ? MAX_TRIGGERING_BYTES : MAX_BUFFERED_BYTES;
  const held = await bufferBody(request.body, Math.min(limit.bytes, maxBytes));
  if (held.kind === 'long') return { kind: 'long', chunks: limitChunks(held.chunks, limit) };
  return held;
}

async function readWholeBody(request: DataRequest): Promise<Buffer> {
  const limit = findLimit(request, request.maxBodyBytes);
  requireFits(request.body.announcedBytes ?? 0, limit);
  const held = await bufferBody(request.body, limit.bytes);
  if (held.kind === 'whole') return held.bytes;
  throw new RequestError(limit.code);
}

/** The maximum size of a body, and the error of a larger one. */
interface BodyLimit {
  readonly bytes: number;
  readonly code: RequestErrorCode;
}

/** Returns the limit of the request or, by default, of the database, but at most `maxBytes`. */
function findLimit({ databases, namespace, parameters }: DataRequest, maxBytes: number): BodyLimit {
  const bytes = WRITE_SIZE_LIMIT_BYTES[parameters.writeSizeLimit ?? databases.writeSizeLimit(namespace)];
  return bytes < maxBytes ? { bytes, code: 'write/too-big' } : { bytes: maxBytes, code: 'request/too-big' };
}

/** Throws `write/too-big` or `request/too-big` if the size of a body exceeds the limit. */
function requireFits(bytes: number, limit: BodyLimit): void {
  if (bytes > limit.bytes) throw new RequestError(limit.code);
}

async function* limitChunks(chunks: AsyncIterable<Buffer>, limit: BodyLimit): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    requireFits(bytes, limit);
    yield chunk;
  }
}

/**
 * Returns the value that the only write of a request has stored, in plain form. Returns `undefined` if only
 * the database knows the value, because the write contained server values and changed nothing.
 */
function findWrittenJson(write: DraftWrite, commit: Commit | null): string | undefined {
  const done = commit?.writes[0];
  // The text of a leaf is the same in both forms unless the leaf has a priority.
  if (done?.kind === 'node')
    return done.node?.kind === 'leaf' && done.node.priority === null ? done.json : plainJson(done.node);
  if (done?.kind === 'priority') return priorityJson(done.priority);
  if (write.kind === 'node') return write.draft.kind === 'resolved' ? plainJson(write.draft.node) : undefined;
  const { priority } = write;
  return typeof priority === 'object' && priority !== null ? undefined : priorityJson(priority);
}
