import { RequestError, type RequestErrorCode } from '@hearth/core/error/request-error.ts';
import { plainJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { type Path, parsePathSegments } from '@hearth/core/tree/path.ts';
import { prefetchJson } from '../../http/json-output.ts';
import { type BufferedBody, bufferBody, decodeBody, parseBody } from '../../http/request-body.ts';
import { type Headers, type JsonAnswer, wholeText } from '../../http/response.ts';
import type { Commit } from '../../storage/log/commit.ts';
import { type DraftWrite, parseSet, parseUpdate, WRITE_SIZE_LIMIT_BYTES } from '../database/write-input.ts';
import {
  type DataLocation,
  type DataRequest,
  etagHeaders,
  nodeLocation,
  rejectEtag,
  rejectExpectedHash,
} from './request.ts';

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
async function setLongData(
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
    return await prefetchJson(json);
  } catch (error) {
    if (error instanceof RequestError) return wholeText('null');
    throw error;
  }
}

/** A written value; bad keys in it are told in the words that clients of REST know. */
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
 * `PATCH /<path>.json`: replaces what stands at each path of an object, all at once; answers the object as it came.
 * A body of `null` deletes the node, which is how the official command line deletes.
 */
export async function updateData(request: DataRequest): Promise<JsonAnswer> {
  const { databases, namespace, operation, identity, condition, parameters } = request;
  rejectExpectedHash(condition, 'PATCH');
  rejectEtag(condition, 'for PATCH');
  const path = nodeLocation(request.location);
  const text = await readWrittenText(request);
  const { areTriggersDisabled } = parameters;
  const writes = parseWrites(path, text);
  await databases.write(namespace, { operation, identity, writes, areTriggersDisabled });
  return { json: wholeText(text.trim()) };
}

const UNREADABLE: ReadonlySet<RequestErrorCode> = new Set<RequestErrorCode>([
  'value/unparsable',
  'key/invalid',
  'path/invalid',
]);

function parseWrites(path: Path, text: string): readonly DraftWrite[] {
  try {
    const json = parseBody(text);
    return json === null ? [parseSet({ path, isPriority: false }, null)] : parseUpdate(path, json);
  } catch (cause) {
    if (cause instanceof RequestError && UNREADABLE.has(cause.code))
      throw new RequestError('value/not-an-object', undefined, { cause });
    throw cause;
  }
}

/** `POST /<path>.json`: adds a child whose name sorts after all earlier ones; answers the name. */
export async function pushData(request: DataRequest): Promise<JsonAnswer> {
  rejectExpectedHash(request.condition, 'POST');
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

/** `DELETE /<path>.json`: removes the node, or its priority. */
export async function removeData(request: DataRequest): Promise<JsonAnswer> {
  const result = await writeConditionally(request, parseSet(request.location, null));
  return result.kind === 'stale' ? result.answer : { headers: result.headers, json: wholeText('null') };
}

/** What became of the only write of a request. */
export type ConditionalResult =
  | { readonly kind: 'written'; readonly commit: Commit | null; readonly headers: Headers }
  /** The node is not what the client thinks it is: the answer shows what it is. */
  | { readonly kind: 'stale'; readonly answer: JsonAnswer };

/** Carries out the only write of a `PUT` or `DELETE`, if the node is still what the request says it is. */
async function writeConditionally(request: DataRequest, write: DraftWrite): Promise<ConditionalResult> {
  const { databases, namespace, operation, identity, location, parameters, condition } = request;
  const { expectedHash, wantsEtag } = condition;
  const isAboutHash = expectedHash !== null || wantsEtag;
  const path = isAboutHash ? nodeLocation(location) : location.path;
  if (expectedHash !== null && parameters.print === 'silent')
    throw new RequestError(
      'http/parameter',
      'if-match does not go together with print=silent: the answer may be data.',
    );
  try {
    const { commit, hash } = await databases.write(namespace, {
      operation,
      identity,
      writes: [write],
      areTriggersDisabled: parameters.areTriggersDisabled,
      ...(expectedHash === null ? {} : { expected: { path, hash: expectedHash } }),
      ...(wantsEtag ? { hashOf: path } : {}),
    });
    return { kind: 'written', commit, headers: etagHeaders(hash) };
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'write/stale') throw error;
    return { kind: 'stale', answer: await showCurrent(request, error) };
  }
}

/** The state that a refused write has met, for clients to decide anew. Where it cannot be read, it is only told to be another. */
async function showCurrent(
  { databases, namespace, identity, location, parameters }: DataRequest,
  stale: RequestError,
): Promise<JsonAnswer> {
  try {
    const { json, hash } = await databases.read(namespace, {
      operation: 'GET',
      isFollowUp: true,
      identity,
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

/** Longest body that is decided on in one turn, in bytes; a longer one is stored in parts while it comes. */
const MAX_HELD_BYTES = 2 ** 20;

/**
 * The body of a write. It is `long` only where it may be stored in parts: a whole node, unconditionally,
 * and decided by rules that do not look at it. Refuses with
 * `write/too-big` more than the request, or else the database, lets one write bring along.
 */
async function holdWritten(request: DataRequest): Promise<BufferedBody> {
  const { databases, namespace, identity, location, condition } = request;
  const mayBeLong =
    !location.isPriority &&
    condition.expectedHash === null &&
    !condition.wantsEtag &&
    databases.canAuthorizeWithoutValue(namespace, location.path, identity);
  if (!mayBeLong) return { kind: 'whole', bytes: await holdWhole(request) };
  const limitBytes = findLimitBytes(request);
  requireFits(request, limitBytes);
  const held = await bufferBody(request.body, Math.min(limitBytes, MAX_HELD_BYTES));
  return held.kind === 'whole' ? held : { kind: 'long', chunks: limitChunks(held.chunks, limitBytes) };
}

/** The text of a write that is decided on at once. */
async function readWrittenText(request: DataRequest): Promise<string> {
  return decodeBody(await holdWhole(request));
}

async function holdWhole(request: DataRequest): Promise<Buffer> {
  const limitBytes = findLimitBytes(request);
  requireFits(request, limitBytes);
  const held = await bufferBody(request.body, Math.min(limitBytes, request.maxBodyBytes));
  if (held.kind === 'whole') return held.bytes;
  throw new RequestError(limitBytes < request.maxBodyBytes ? 'write/too-big' : 'request/too-big');
}

/** Refuses a body that says itself that it is too long, before any of it is taken. */
function requireFits({ body }: DataRequest, limitBytes: number): void {
  if (body.announcedBytes !== null && body.announcedBytes > limitBytes)
    throw new RequestError('write/too-big');
}

function findLimitBytes({ databases, namespace, parameters }: DataRequest): number {
  return WRITE_SIZE_LIMIT_BYTES[parameters.writeSizeLimit ?? databases.writeSizeLimit(namespace)];
}

async function* limitChunks(chunks: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw new RequestError('write/too-big');
    yield chunk;
  }
}

/**
 * What the only write of a request has put at its place, in plain form; `undefined` when only the database can tell,
 * because the write held server values and changed nothing.
 */
function findWrittenJson(write: DraftWrite, commit: Commit | null): string | undefined {
  const done = commit?.writes[0];
  // The text of a leaf is the same in both forms, unless it has a priority.
  if (done?.kind === 'node')
    return done.node?.kind === 'leaf' && done.node.priority === null ? done.json : plainJson(done.node);
  if (done?.kind === 'priority') return priorityJson(done.priority);
  if (write.kind === 'node') return write.draft.kind === 'resolved' ? plainJson(write.draft.node) : undefined;
  const { priority } = write;
  return typeof priority === 'object' && priority !== null ? undefined : priorityJson(priority);
}
