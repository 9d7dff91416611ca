import type { JsonStream } from '../database/read-request.ts';
import type { Answer, Headers, JsonAnswer } from './answer.ts';
import { mapJson } from './map-json.ts';
import { prettyJson, prettyJsonParts } from './pretty-json.ts';
import type { RestParameters } from './rest-parameters.ts';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const SCRIPT_TYPE = { 'content-type': 'application/javascript; charset=utf-8' };

type PrintParameters = Pick<RestParameters, 'print' | 'callback' | 'download'>;

/** A JSON answer the way the client wants it printed. */
export function printAnswer({ status = 200, headers = {}, json }: JsonAnswer, how: PrintParameters): Answer {
  if (how.print === 'silent' && status === 200) {
    void discard(json);
    return { status: 204, headers, body: null };
  }
  const text = how.print === 'pretty' ? prettyStream(json) : json;
  const download = downloadHeaders(how.download);
  if (how.callback === null)
    return { status, headers: { ...headers, ...download, ...JSON_TYPE }, body: text };
  const script = wrap(text, `${how.callback}(`, ');');
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

/** Lets go of what nobody will read. */
async function discard(json: JsonStream): Promise<void> {
  if (json.kind === 'parts') await json.parts.return();
}
