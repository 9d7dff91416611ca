import type { Json } from '../client/json.ts';
import { putRules } from '../client/put-rules.ts';
import { WriteLoad } from '../load/write-load.ts';
import type { WriteWork } from '../load/write-work.ts';
import { CHAT_RULES } from './chat-rules.ts';
import { CHAT_MEMBERS, FORGE_MESSAGES, SAY_MESSAGES } from './chat-work.ts';

const OWNER = { authorization: 'Bearer owner', 'content-type': 'application/json' };
const OPEN_RULES = { '.read': true, '.write': true };

/** The databases of the rules scenario, each with its load. */
export class RulesLoad {
  /** Anything goes. */
  readonly open: WriteLoad;
  /** The same writes under the chat's rules. */
  readonly ruled: WriteLoad;
  /** Writes that are all denied, and each denial kept as far as the log keeps any. */
  readonly denied: WriteLoad;
  /** The same with the log off. */
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

/** A database whose log of denials is full after this many entries. */
export const KEPT_DENIALS = 1_000;

/** Denied writes to a database with a small log. */
export async function openFlood(port: number): Promise<WriteLoad> {
  await put(port, '/api/databases/flood/denials/settings', { keep: KEPT_DENIALS });
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
  if (!answer.ok) throw new Error(`${path} was refused: ${answer.status} ${await answer.text()}`);
}
