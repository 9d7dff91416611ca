import { createRequire } from 'node:module';
import { CHAT_NOW_MS, type ChatCase, type ChatValue, chatData } from './chat-case.ts';
import { CHAT_RULES } from './chat-rules.ts';

interface Verdict {
  readonly allowed: boolean;
}

/** What of the package is used. */
interface TargaryenDatabase {
  as(auth: { readonly uid: string } | null): TargaryenDatabase;
  read(path: string, options: { readonly now: number }): Verdict;
  write(path: string, value: ChatValue, priority: undefined, now: number): Verdict;
}

interface Targaryen {
  database(rules: unknown, data: ChatValue, now: number): TargaryenDatabase;
}

/** The chat's rules in the package `targaryen`, which evaluates rules in memory. Throws when it is not installed. */
export class TargaryenPeer {
  readonly #database: TargaryenDatabase;

  constructor() {
    const require = createRequire(new URL('../../peers/package.json', import.meta.url));
    // The package has no types; the interface above says what is used of it.
    const targaryen = require('targaryen') as Targaryen;
    this.#database = targaryen.database({ rules: CHAT_RULES }, chatData(), CHAT_NOW_MS);
  }

  /** Makes the decision of one case; signing in happens now, not when it is decided. */
  prepare(chatCase: ChatCase): () => boolean {
    const { uid } = chatCase;
    const database = this.#database.as(uid === null ? null : { uid });
    const path = `/${chatCase.path.join('/')}`;
    if (chatCase.kind === 'read') return () => database.read(path, { now: CHAT_NOW_MS }).allowed;
    return () => database.write(path, chatCase.value, undefined, CHAT_NOW_MS).allowed;
  }
}
