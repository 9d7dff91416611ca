import { putRules } from '../client/http.ts';
import type { Json } from '../client/json.ts';
import { messageKey, WriteLoad, type WriteWork } from '../load/writes.ts';
import { CHAT_RULES } from './chat.ts';

const UID = 'u1';
const SPACES = 16;

/** An unsigned token of the writer, as clients of the emulators create it. */
const CREDENTIAL = [
  { alg: 'none', type: 'JWT' },
  { sub: UID, user_id: UID, iat: 0, exp: 3_600, firebase: { sign_in_provider: 'custom', identities: {} } },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('')
  .join('.');

/** The data that the writer needs: membership in every space. */
const CHAT_MEMBERS: Json = Object.fromEntries(
  Array.from({ length: SPACES }, (_, index) => [`s${index}`, { [UID]: true }]),
);

/** Messages of a signed-in member, which the chat's rules allow. */
const SAY_MESSAGES: WriteWork = {
  credential: CREDENTIAL,
  encode: (stream, request) => say(UID, stream, request),
  status: 'ok',
};

/** Messages in another user's name, which the chat's rules deny. */
const FORGE_MESSAGES: WriteWork = {
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

const OWNER = { authorization: 'Bearer owner', 'content-type': 'application/json' };
const OPEN_RULES = { '.read': true, '.write': true };

/** The databases of the rules scenario, each with its load. */
export class RulesLoad {
  /** Writes under rules that allow everything. */
  readonly open: WriteLoad;
  /** The same writes under the chat's rules. */
  readonly ruled: WriteLoad;
  /** Writes that are all denied. The denial log stores as many of them as its limits allow. */
  readonly denied: WriteLoad;
  /** The same writes with the denial log disabled. */
  readonly deniedUnlogged: WriteLoad;

  private constructor(open: WriteLoad, ruled: WriteLoad, denied: WriteLoad, deniedUnlogged: WriteLoad) {
    this.open = open;
    this.ruled = ruled;
    this.denied = denied;
    this.deniedUnlogged = deniedUnlogged;
  }

  static async start(port: number): Promise<RulesLoad> {
    await put(port, '/api/databases/unlogged/denials/settings', { isOn: false });
    return new RulesLoad(
      await openLoad(port, 'open', OPEN_RULES, SAY_MESSAGES),
      await openLoad(port, 'ruled', CHAT_RULES, SAY_MESSAGES),
      await openLoad(port, 'denied', CHAT_RULES, FORGE_MESSAGES),
      await openLoad(port, 'unlogged', CHAT_RULES, FORGE_MESSAGES),
    );
  }

  [Symbol.dispose](): void {
    for (const load of [this.open, this.ruled, this.denied, this.deniedUnlogged]) load[Symbol.dispose]();
  }
}

/** Capacity of the denial log that `openFlood` configures, in entries. */
export const STORED_DENIALS = 1_000;

/** Opens a load of denied writes to a database with a small denial log. */
export async function openFlood(port: number): Promise<WriteLoad> {
  await put(port, '/api/databases/flood/denials/settings', { keep: STORED_DENIALS });
  return openLoad(port, 'flood', CHAT_RULES, FORGE_MESSAGES);
}

async function openLoad(port: number, namespace: string, rules: Json, work: WriteWork): Promise<WriteLoad> {
  await put(port, `/members.json?ns=${namespace}`, CHAT_MEMBERS);
  await putRules(port, namespace, rules);
  return WriteLoad.open(port, namespace, work);
}

async function put(port: number, path: string, body: Json): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'PUT',
    headers: OWNER,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} was rejected: ${answer.status} ${await answer.text()}`);
}
