import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonStream } from './json-output.ts';
import { mapJson, prettyJson, prettyJsonParts } from './json-output.ts';
import { sendBody } from './send-body.ts';

export type Headers = Readonly<Record<string, string>>;

/** A complete HTTP response. */
export interface Answer {
  readonly status: number;
  /** Headers with `content-type`, unless there is no body. */
  readonly headers: Headers;
  readonly body: JsonStream | null;
}

/** The response of a REST route. The client decides how it is formatted. */
export interface JsonAnswer {
  readonly status?: number;
  readonly headers?: Headers;
  /** JSON text. */
  readonly json: JsonStream;
}

/** Returns a text in one piece. */
export function wholeText(text: string): JsonStream {
  return { kind: 'whole', bytes: Buffer.from(text) };
}

/** Returns a response with JSON. */
export function jsonAnswer(json: unknown, status = 200): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: { kind: 'whole', bytes: Buffer.from(JSON.stringify(json)) },
  };
}

/** Sends a response. Omits the body for `HEAD`. */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answer,
  commonHeaders: Headers,
): Promise<void> {
  if (body !== null) return sendBody(request, response, { status, commonHeaders, headers }, body);
  response.writeHead(status, { ...commonHeaders, ...headers });
  response.end();
  return Promise.resolve();
}

/**
 * Returns a response with lines of JSON. Each part is sent as soon as it is generated, until the parts end or
 * `broken` is aborted.
 */
export function ndjsonAnswer(
  parts: AsyncGenerator<Buffer, void, undefined> & { readonly broken?: AbortSignal },
): Answer {
  const { broken } = parts;
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
    body: { kind: 'parts', parts, ...(broken === undefined ? {} : { broken }) },
  };
}

/**
 * Returns a response with an event stream. Each event is sent as soon as the reader has taken the earlier
 * events.
 */
export function feedAnswer(
  feed: AsyncGenerator<Buffer, void, undefined> & { readonly broken?: AbortSignal },
): Answer {
  const { broken } = feed;
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // The connection ends with the stream, so that the server can shut down.
      connection: 'close',
      // Proxies that buffer responses would delay events.
      'x-accel-buffering': 'no',
    },
    body: { kind: 'parts', parts: feed, areShared: true, ...(broken === undefined ? {} : { broken }) },
  };
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const SCRIPT_TYPE = { 'content-type': 'application/javascript; charset=utf-8' };

/** The format of a JSON response; `silent` sends no body. */
export type Print = 'plain' | 'pretty' | 'silent';

/** The format that a client requests. */
export interface PrintParameters {
  readonly print: Print;
  /** Name of the function that the response calls, for pages that load it as a script. */
  readonly callback: string | null;
  /** File name under which a browser saves the response. */
  readonly download: string | null;
}

/** Returns a JSON response in the format that the client requests. */
export function printAnswer(
  { status = 200, headers = {}, json }: JsonAnswer,
  format: PrintParameters,
): Answer {
  if (format.print === 'silent' && status === 200) {
    void discard(json);
    return { status: 204, headers, body: null };
  }
  const text = format.print === 'pretty' ? prettyStream(json) : json;
  const download = downloadHeaders(format.download);
  if (format.callback === null)
    return { status, headers: { ...headers, ...download, ...JSON_TYPE }, body: text };
  const script = wrap(text, `${format.callback}(`, ');');
  return { status, headers: { ...headers, ...download, ...SCRIPT_TYPE }, body: script };
}

function encodeAscii(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function downloadHeaders(fileName: string | null): Headers {
  if (fileName === null) return {};
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(/['()*]/g, encodeAscii);
  return { 'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}` };
}

function wrap(json: JsonStream, before: string, after: string): JsonStream {
  return mapJson(json, {
    whole: (bytes) => Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]),
    parts: (parts) => wrapParts(parts, before, after),
  });
}

async function* wrapParts(
  parts: AsyncIterable<Buffer>,
  before: string,
  after: string,
): AsyncGenerator<Buffer, void, undefined> {
  yield Buffer.from(before);
  yield* parts;
  yield Buffer.from(after);
}

function prettyStream(json: JsonStream): JsonStream {
  return mapJson(json, { whole: prettyJson, parts: prettyJsonParts });
}

/** Releases a text that is not sent. */
async function discard(json: JsonStream): Promise<void> {
  if (json.kind === 'parts') await json.parts.return();
}
