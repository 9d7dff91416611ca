import { type JsonAnswer, wholeText } from '../answer.ts';
import type { SettingsRequest } from '../settings-request.ts';

/** Names asked for in one turn. */
const PAGE = 1_000;

/** `GET /.inspect/databases.json`: every database there is, as `[{"name":"<name>"},…]`. */
export async function listDatabases({ administration, identity }: SettingsRequest): Promise<JsonAnswer> {
  const names: string[] = [];
  for (;;) {
    const page = await administration.names(identity, names.at(-1) ?? '', PAGE);
    names.push(...page);
    if (page.length < PAGE) return { json: wholeText(JSON.stringify(names.map((name) => ({ name })))) };
  }
}
