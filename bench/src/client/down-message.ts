import { isRecord } from './json.ts';

/** What a server says, as far as the bench looks at it. */
export type DownMessage =
  | { readonly kind: 'response'; readonly request: number; readonly status: string; readonly data: unknown }
  | { readonly kind: 'push'; readonly action: string; readonly body: unknown }
  | { readonly kind: 'control'; readonly control: string };

/** Parses one complete message. Throws on anything that is not one. */
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
