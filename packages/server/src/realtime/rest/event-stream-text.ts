import { canonicalJson, parseJsonText } from '@hearth/core/tree/json-text.ts';
import { plainJsonFromExport } from '@hearth/core/tree/node-json.ts';
import { type DataPush, parsePush } from '@hearth/core/wire/server-messages.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';

/** The format of data: `plain` omits priorities and shows array-like objects as arrays. */
export type StreamForm = 'plain' | 'export';

/** An event that shows that the connection is still open. */
export const KEEP_ALIVE_EVENT = 'event: keep-alive\ndata: null\n\n';

/** The last event of a stream whose credential has expired or was revoked. */
export const AUTH_REVOKED_EVENT = 'event: auth_revoked\ndata: "credential is no longer valid"\n\n';

/**
 * The end of a stream whose place or memory other clients need: a comment, and the time in ms after which browsers connect
 * again. It is not an event `cancel`, because clients do not connect again after that.
 */
export const EVICTED_TEXT =
  ': the server needs this stream for other clients, so connect again later\nretry: 5000\n\n';

/**
 * Returns the event for a new value at `path`, which is relative to the path of the stream and has no leading
 * slash.
 */
export function putEvent(path: string, json: string): string {
  return dataEvent('put', path, json);
}

/** Returns the last event of a stream that the server ends. `text` is the reason. */
export function cancelEvent(text: string): string {
  return `event: cancel\ndata: ${JSON.stringify(text)}\n\n`;
}

/**
 * Returns the event of a push for a stream whose path is the first `pathLength` code units of the push's
 * path. Returns an empty text if the push contains nothing that is visible in this form.
 */
export function pushEvent(pushText: string, pathLength: number, form: StreamForm): string {
  const push = parsePush(pushText);
  const path = push.path.slice(pathLength === 0 ? 0 : pathLength + 1);
  if (push.kind === 'merge') return mergeEvent(path, push.json, form);
  const json = form === 'export' ? push.json : plainSetJson(push);
  return json === undefined ? '' : dataEvent('put', path, json);
}

/**
 * Returns the event of a merge. Its path is the deepest one that contains all changes, as if a client had
 * written the update there.
 */
function mergeEvent(path: string, json: string, form: StreamForm): string {
  const members = Object.entries(parseJsonText(json) as Readonly<Record<string, unknown>>);
  const shown = members.filter(([name]) => form === 'export' || !isPriority(name));
  if (shown.length === 0) return '';
  const parentPath = commonParent(shown.map(([name]) => name));
  if (parentPath === '' && form === 'export') return dataEvent('patch', path, json);
  const texts = shown.map(([name, value]) => {
    const text = form === 'export' ? canonicalJson(value) : plainJsonFromExport(value);
    return `${JSON.stringify(name.slice(parentPath.length))}:${text}`;
  });
  return dataEvent(
    'patch',
    `${path === '' ? '' : `${path}/`}${parentPath}`.replace(/\/$/, ''),
    `{${texts.join(',')}}`,
  );
}

/**
 * Returns the longest path with a trailing slash that all paths begin with; an empty text if there is none.
 */
function commonParent(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  let parent = first.slice(0, first.lastIndexOf('/') + 1);
  while (!others.every((other) => other.startsWith(parent)))
    parent = parent.slice(0, parent.slice(0, -1).lastIndexOf('/') + 1);
  return parent;
}

/** Returns the data of a push in plain form; `undefined` if the push sets a priority. */
function plainSetJson({ path, json }: DataPush): string | undefined {
  if (isPriority(path)) return undefined;
  // A scalar is the same in both forms.
  return json.startsWith('{') ? plainJsonFromExport(parseJsonText(json)) : json;
}

function isPriority(path: string): boolean {
  return path === '.priority' || path.endsWith('/.priority');
}

/**
 * Returns the text of an event. The data is one line, because JSON text has no line breaks outside of strings
 * and escapes those in strings.
 */
function dataEvent(name: 'put' | 'patch', path: string, json: string): string {
  return `event: ${name}\ndata: {"path":${JSON.stringify(`/${path}`)},"data":${json}}\n\n`;
}

/**
 * Cached events of each push, by form and by the length of the stream's path, which is a prefix of the push's
 * path: at most 33 paths times two forms.
 */
const events = new WeakMap<OutgoingMessage, Map<string, Buffer>>();

/**
 * Returns the event of a push as bytes; empty if the push shows nothing. The bytes are created once for all
 * streams with the same path.
 */
export function pushEventBytes(push: OutgoingMessage, pathLength: number, form: StreamForm): Buffer {
  let cached = events.get(push);
  if (cached === undefined) {
    cached = new Map();
    events.set(push, cached);
  }
  const name = `${form} ${pathLength}`;
  let bytes = cached.get(name);
  if (bytes === undefined) {
    bytes = Buffer.from(pushEvent(push.text, pathLength, form));
    cached.set(name, bytes);
  }
  return bytes;
}
