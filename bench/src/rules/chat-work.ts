import type { Json } from '../client/json.ts';
import { messageKey, type WriteWork } from '../load/write-work.ts';

const UID = 'u1';
const SPACES = 16;

/** An unsigned token of the writer, as clients of the emulators make them. */
const CREDENTIAL = [
  { alg: 'none', type: 'JWT' },
  { sub: UID, user_id: UID, iat: 0, exp: 3_600, firebase: { sign_in_provider: 'custom', identities: {} } },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('')
  .join('.');

/** What the writer finds: membership in every space. */
export const CHAT_MEMBERS: Json = Object.fromEntries(
  Array.from({ length: SPACES }, (_, index) => [`s${index}`, { [UID]: true }]),
);

/** Messages of a signed-in member, which the chat's rules allow. */
export const SAY_MESSAGES: WriteWork = {
  credential: CREDENTIAL,
  encode: (stream, request) => say(UID, stream, request),
  status: 'ok',
};

/** Messages in another's name, which the chat's rules refuse. */
export const FORGE_MESSAGES: WriteWork = {
  credential: CREDENTIAL,
  encode: (stream, request) => say('another', stream, request),
  status: 'permission_denied',
};

function say(
  author: string,
  stream: number,
  request: number,
): { readonly path: string; readonly json: string } {
  return {
    path: `/spaces/s${request % SPACES}/rooms/r1/messages/${messageKey(stream, request)}`,
    json: `{"author":"${author}","text":"a short line of talk, number ${request}","ts":${1_750_000_000_000 + request}}`,
  };
}
