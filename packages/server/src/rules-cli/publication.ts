import type { AnswerJson } from './answer-json.ts';
import { askServer, type DatabaseServer } from './database-server.ts';

/** One publication of rules, as the server tells of it. */
export interface PublishedVersion {
  readonly id: number;
  /** `null` if it is not known. */
  readonly timeMs: number | null;
  readonly author: string;
  readonly bytes: number;
  readonly message: string | null;
  readonly rolledBackTo: number | null;
}

/** A version with what it changed. */
export interface VersionDetails extends PublishedVersion {
  readonly source: string;
  /** From the version before, in the unified format; `null` if there is none any more. */
  readonly difference: string | null;
}

/** As many as a server keeps. */
const MAX_VERSIONS = 100;

/** What was published, newest first. */
export async function listVersions(server: DatabaseServer): Promise<readonly PublishedVersion[]> {
  const answer = await askServer(server, 'GET', `rules/versions?limit=${MAX_VERSIONS}`);
  return answer.member('versions').items().map(parseVersion);
}

export async function readVersion(server: DatabaseServer, id: number): Promise<VersionDetails> {
  const answer = await askServer(server, 'GET', `rules/versions/${id}`);
  return {
    ...parseVersion(answer),
    source: answer.member('source').text(),
    difference: answer.member('difference').optional((text) => text.text()),
  };
}

/** Puts rules in force, and returns the version that is. */
export async function publishRules(
  server: DatabaseServer,
  source: string,
  message: string | null,
): Promise<number> {
  const body = JSON.stringify({ source, ...messageField(message) });
  const answer = await askServer(server, 'POST', 'rules/publish', body);
  return answer.member('id').number();
}

/** Publishes a version once more, unless another than `expected` is in force by now; returns the version that is. */
export async function rollBackRules(
  server: DatabaseServer,
  to: number,
  expected: number,
  message: string | null,
): Promise<number> {
  const body = JSON.stringify({ to, expected, ...messageField(message) });
  return (await askServer(server, 'POST', 'rules/rollback', body)).member('id').number();
}

function messageField(message: string | null): { readonly message?: string } {
  return message === null ? {} : { message };
}

function parseVersion(answer: AnswerJson): PublishedVersion {
  return {
    id: answer.member('id').number(),
    timeMs: answer.member('timeMs').optional((time) => time.number()),
    author: parseAuthor(answer.member('author')),
    bytes: answer.member('bytes').number(),
    message: answer.member('message').optional((text) => text.text()),
    rolledBackTo: answer.member('rolledBackTo').optional((version) => version.number()),
  };
}

/** Who it was in a word: the name of a file, the id of a user, or what kind of author. */
function parseAuthor(author: AnswerJson): string {
  const name = author.member('name').json ?? author.member('uid').json;
  return typeof name === 'string' ? name : author.member('kind').text();
}
