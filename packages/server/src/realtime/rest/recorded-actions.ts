import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatPath } from '@hearth/core/tree/path.ts';
import type { Principal } from '../../access/principal.ts';
import { isAdministrator } from '../../access/rights.ts';
import { PUBLIC_HEADERS } from '../../http/errors.ts';
import { countBytes } from '../../http/json-output.ts';
import { requestSource, withKnownRequestId, withRequestId } from '../../http/request-source.ts';
import { type Answer, sendAnswer } from '../../http/response.ts';
import type { Transport } from '../../http/transport.ts';
import { type DraftWrite, isRemoval } from '../database/write-input.ts';
import type { DataActions } from '../monitoring/data-actions.ts';
import { actionOfWrites } from '../monitoring/write-actions.ts';
import { hasQueryParameters } from './query.ts';
import type { DataRequest } from './request.ts';

/** The service that records what administrators do over REST. */
export interface ActionServices {
  readonly dataActions: DataActions;
}

export interface ActionOptions {
  readonly transport: Transport;
}

/** Returns a function that records an action of a request if its caller is an administrator. */
export function actionRecorder(
  request: IncomingMessage,
  identity: Principal,
  { dataActions }: ActionServices,
  { transport }: ActionOptions,
): DataRequest['recordAction'] {
  return (action) => {
    // `requestSource` gives the request an ID, which only recorded requests have.
    if (isAdministrator(identity))
      dataActions.record(identity, requestSource(request, transport.clientAddressOf(request)), action);
  };
}

/** A write with a body of this size, in bytes, counts as an import. */
const MIN_IMPORT_BYTES = 2 ** 20;

/**
 * Records a write of an administrator if it removes data, replaces all data, or is as large as an import. Backends make
 * all other writes too often. `bytes` is the length of the body.
 */
export function recordWrites(
  { namespace, operation, recordAction }: DataRequest,
  writes: readonly DraftWrite[],
  bytes: number,
): void {
  const action = actionOfWrites(namespace, writes);
  if (isRemoval(writes)) {
    recordAction(action);
    return;
  }
  const isWhole = writes.some(({ kind, path }) => kind === 'node' && path.length === 0);
  if (!isWhole && bytes < MIN_IMPORT_BYTES) return;
  const detail = operation === 'PATCH' ? 'merge' : 'replace';
  recordAction({ name: 'data_imported', subject: { ...action.subject, bytes }, detail });
}

/** Records a write of an administrator whose body was stored in parts. */
export function recordLongWrite({ namespace, location, recordAction }: DataRequest, bytes: number): void {
  const path = `/${formatPath(location.path)}`;
  recordAction({ name: 'data_imported', subject: { database: namespace, path, bytes }, detail: 'replace' });
}

/** Counts the bytes of chunks while they are read. */
export class CountedChunks implements AsyncIterable<Buffer> {
  readonly #chunks: AsyncIterable<Buffer>;
  #bytes = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks;
  }

  /** The number of bytes that were read so far. */
  get bytes(): number {
    return this.#bytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.#chunks) {
      this.#bytes += chunk.length;
      yield chunk;
    }
  }
}

/** Sends a response. It has the request ID if the audit log has the request. */
export function sendRestAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  return sendAnswer(request, response, answer, withKnownRequestId(PUBLIC_HEADERS, request));
}

/** Sends the response to a read. An export of an administrator is recorded when the response was sent or interrupted. */
export function sendReadAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  data: DataRequest,
  answer: Answer,
): Promise<void> {
  if (!isAdministrator(data.identity) || !isExport(data)) return sendRestAnswer(request, response, answer);
  const headers = withRequestId(PUBLIC_HEADERS, request);
  return sendAnswer(request, response, withRecordedExport(data, answer), headers);
}

/** Returns whether a read takes data out of the database as a whole: in export format, as a download, or everything. */
function isExport({ location, parameters, query }: DataRequest): boolean {
  if (parameters.isShallow || location.isPriority) return false;
  const isWhole = location.path.length === 0 && !hasQueryParameters(query);
  return parameters.form === 'export' || parameters.download !== null || isWhole;
}

function withRecordedExport({ namespace, location, recordAction }: DataRequest, answer: Answer): Answer {
  if (answer.body === null) return answer;
  const path = `/${formatPath(location.path)}`;
  const body = countBytes(answer.body, (bytes) =>
    recordAction({ name: 'data_exported', subject: { database: namespace, path, bytes } }),
  );
  return { ...answer, body };
}
