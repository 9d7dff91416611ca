export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object with unknown members. */
export type JsonRecord = { readonly [key: string]: unknown };

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns JSON text with sorted object members, so that equal data has equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value).sort();
  return `{${members.map((member) => `${JSON.stringify(member)}:${canonicalJson(value[member])}`).join(',')}}`;
}

/** The messages of a server, with the fields that the bench reads. */
export type DownMessage =
  | { readonly kind: 'response'; readonly request: number; readonly status: string; readonly data: unknown }
  | { readonly kind: 'push'; readonly action: string; readonly body: unknown }
  | { readonly kind: 'control'; readonly control: string };

/** Parses one complete message. Throws if it is not a message of the protocol. */
export function parseDownMessage(text: string): DownMessage {
  const message: unknown = JSON.parse(text);
  if (isRecord(message) && isRecord(message['d'])) {
    const { t: layer, d: payload } = message;
    if (layer === 'c' && typeof payload['t'] === 'string') return { kind: 'control', control: payload['t'] };
    if (layer === 'd' && typeof payload['a'] === 'string')
      return { kind: 'push', action: payload['a'], body: payload['b'] };
    const body = payload['b'];
    if (
      layer === 'd' &&
      typeof payload['r'] === 'number' &&
      isRecord(body) &&
      typeof body['s'] === 'string'
    ) {
      return { kind: 'response', request: payload['r'], status: body['s'], data: body['d'] };
    }
  }
  throw new Error(`not a message of the protocol: ${text.slice(0, 200)}`);
}
