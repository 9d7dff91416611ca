/** What the connections of a write load do. */
export type WriteWork = {
  /** Unsigned token to sign in with first; `null` for guests. */
  readonly credential: string | null;
  /** Path and JSON text of a write. `stream` and `request` together are its own. */
  readonly encode: (stream: number, request: number) => { readonly path: string; readonly json: string };
  /** What every answer has to say. */
  readonly status: 'ok' | 'permission_denied';
};

const ROOMS = 16;

/** Small chat messages, by anybody. */
export const APPEND_MESSAGES: WriteWork = {
  credential: null,
  encode: (stream, request) => {
    const room = request % ROOMS;
    return {
      path: `/bench/room${room}/${messageKey(stream, request)}`,
      json: `{"author":"user${room}","text":"a short line of talk, number ${request}","ts":${1_750_000_000_000 + request}}`,
    };
  },
  status: 'ok',
};

/** A key that ascends with the requests of a stream. */
export function messageKey(stream: number, request: number): string {
  return `-N${stream}${String(request).padStart(16, '0')}`;
}
