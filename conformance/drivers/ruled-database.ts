import { type Database, ref, set } from 'firebase/database';
import type { JsonObject } from './json.ts';
import { openNamespace } from './namespace.ts';
import { type ClientOptions, openClient } from './sdk-client.ts';

/** A database with rules of its own. */
export interface RuledDatabase {
  readonly namespace: string;
  /** Passes the rules. */
  readonly owner: Database;
  /** A client of the rules: nobody, or a user with these claims. */
  open(claims?: Exclude<ClientOptions['mockUser'], string>): Database;
}

/** Opens a database with the given rules, to which a place to settle at is added, and data. */
export async function openRuledDatabase(rules: JsonObject, data: unknown = null): Promise<RuledDatabase> {
  const namespace = await openNamespace({ rules: { ...SETTLE, ...rules } });
  const owner = openClient(namespace, { mockUser: 'owner' });
  if (data !== null) await set(ref(owner), data);
  return {
    namespace,
    owner,
    open: (claims) => openClient(namespace, claims === undefined ? {} : { mockUser: claims }),
  };
}

/** What every client of a test has to be able to read, to know that all before was answered. */
export const SETTLE: JsonObject = { settle: { '.read': true } };
