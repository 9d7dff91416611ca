import { canonicalJson, parseJsonText } from '@hearth/core/tree/json-text.ts';
import { plainJsonFromExport } from '@hearth/core/tree/node-json.ts';
import { type DataPush, parsePush } from '@hearth/core/wire/server-messages.ts';

/** How data are shown: `plain` leaves priorities out and shows array-like objects as arrays. */
export type StreamForm = 'plain' | 'export';

/** Says that the connection is there. */
export const KEEP_ALIVE_EVENT = 'event: keep-alive\ndata: null\n\n';

/** The last event when the token that came with the request has run out. */
export const AUTH_REVOKED_EVENT = 'event: auth_revoked\ndata: "credential is no longer valid"\n\n';

/** The value at `path`, which is relative to the place of the stream and without leading slash, is now this. */
export function putEvent(path: string, json: string): string {
  return dataEvent('put', path, json);
}

/** The last event when the server does not go on; the text says why. */
export function cancelEvent(text: string): string {
  return `event: cancel\ndata: ${JSON.stringify(text)}\n\n`;
}

/**
 * What a push means to a stream of the place whose path is the first `pathLength` code units of that of the push; empty
 * when it shows nothing in this form.
 */
export function pushEvent(pushText: string, pathLength: number, form: StreamForm): string {
  const push = parsePush(pushText);
  const path = push.path.slice(pathLength === 0 ? 0 : pathLength + 1);
  if (push.kind === 'merge') return mergeEvent(path, push.json, form);
  const json = form === 'export' ? push.json : plainSet(push);
  return json === undefined ? '' : dataEvent('put', path, json);
}

/** A merge is told at the lowest place that holds all of it, as a client would have written it there. */
function mergeEvent(path: string, json: string, form: StreamForm): string {
  const members = Object.entries(parseJsonText(json) as Readonly<Record<string, unknown>>);
  const shown = members.filter(([name]) => form === 'export' || !isPriority(name));
  if (shown.length === 0) return '';
  const above = commonParent(shown.map(([name]) => name));
  if (above === '' && form === 'export') return dataEvent('patch', path, json);
  const texts = shown.map(([name, value]) => {
    const text = form === 'export' ? canonicalJson(value) : plainJsonFromExport(value);
    return `${JSON.stringify(name.slice(above.length))}:${text}`;
  });
  return dataEvent(
    'patch',
    `${path === '' ? '' : `${path}/`}${above}`.replace(/\/$/, ''),
    `{${texts.join(',')}}`,
  );
}

/** The longest path, ending in a slash, that all paths begin with; empty when there is none. */
function commonParent(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  let parent = first.slice(0, first.lastIndexOf('/') + 1);
  while (!others.every((other) => other.startsWith(parent)))
    parent = parent.slice(0, parent.slice(0, -1).lastIndexOf('/') + 1);
  return parent;
}

/** The data of a push in plain form; `undefined` when it is about a priority. */
function plainSet({ path, json }: DataPush): string | undefined {
  if (isPriority(path)) return undefined;
  // A scalar is the same in both forms.
  return json.startsWith('{') ? plainJsonFromExport(parseJsonText(json)) : json;
}

function isPriority(path: string): boolean {
  return path === '.priority' || path.endsWith('/.priority');
}

/** JSON text has no line breaks outside of strings, and in strings they are escaped. */
function dataEvent(name: 'put' | 'patch', path: string, json: string): string {
  return `event: ${name}\ndata: {"path":${JSON.stringify(`/${path}`)},"data":${json}}\n\n`;
}
