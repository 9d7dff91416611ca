import { formatBytes } from '../../backup/report.ts';
import { CommandFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { programName } from '../../platform/process.ts';
import {
  type AnswerJson,
  callDatabaseApi,
  type DatabaseServer,
  parseListed,
  readDatabaseServer,
  readRulesFor,
} from './database-client.ts';
import { RULES_HISTORY_OPTIONS, RULES_PUBLISH_OPTIONS } from './options.ts';
import { parseRulesOrThrow } from './source.ts';
import { formatTable, formatTime, type Paint, paintFor, printable, printOutcome } from './terminal.ts';

/** A published version of rules, as the server reports it. */
export interface PublishedVersion {
  readonly id: number;
  /** `null` if unknown. */
  readonly timeMs: number | null;
  readonly author: string;
  readonly bytes: number;
  readonly message: string | null;
  readonly rolledBackTo: number | null;
}

/** A version with its source and its changes. */
export interface VersionDetails extends PublishedVersion {
  readonly source: string;
  /**
   * The unified diff from the previous version; `null` if there is no previous version or the server no
   * longer stores it.
   */
  readonly difference: string | null;
}

/** Maximum number of versions that a server stores. */
const MAX_VERSIONS = 100;

/** Returns the published versions, newest first. */
export async function listVersions(server: DatabaseServer): Promise<readonly PublishedVersion[]> {
  const answer = await callDatabaseApi(server, 'GET', `rules/versions?limit=${MAX_VERSIONS}`);
  return answer.member('versions').items().map(parseVersion);
}

export async function readVersion(server: DatabaseServer, id: number): Promise<VersionDetails> {
  const answer = await callDatabaseApi(server, 'GET', `rules/versions/${id}`);
  return {
    ...parseVersion(answer),
    source: answer.member('source').text(),
    difference: answer.member('difference').optional((text) => text.text()),
  };
}

/** Publishes rules. Returns the number of the new version. */
export async function publishRules(
  server: DatabaseServer,
  source: string,
  message: string | null,
): Promise<number> {
  const body = JSON.stringify({ source, ...messageField(message) });
  const answer = await callDatabaseApi(server, 'POST', 'rules/publish', body);
  return answer.member('id').number();
}

/**
 * Publishes version `to` again. Rejects if the current version is not `expected`. Returns the number of the
 * current version.
 */
export async function rollBackRules(
  server: DatabaseServer,
  to: number,
  expected: number,
  message: string | null,
): Promise<number> {
  const body = JSON.stringify({ to, expected, ...messageField(message) });
  return (await callDatabaseApi(server, 'POST', 'rules/rollback', body)).member('id').number();
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

/** The text that the list shows for authors without a name. */
const KINDS_OF_AUTHORS: Readonly<Record<string, string>> = {
  admin: 'server administrator',
  unknown: 'unknown',
};

/** Returns a short label of the author: a file name, an email address, a user ID, or the kind of the author. */
function parseAuthor(author: AnswerJson): string {
  const names = ['name', 'email', 'uid'].map((member) => author.member(member).json);
  const name = names.find((one) => typeof one === 'string');
  if (typeof name === 'string') return name;
  const kind = author.member('kind').text();
  return KINDS_OF_AUTHORS[kind] ?? kind;
}

/**
 * Runs `hearth rules publish`: publishes rules on a running server. Rejects with every problem of the rules,
 * or with the message of the server if it rejects them.
 */
export async function runRulesPublish(
  flags: FlagsOf<typeof RULES_PUBLISH_OPTIONS>,
  file?: string,
): Promise<void> {
  const rules = readRulesFor(flags, file);
  parseRulesOrThrow(rules);
  const server = readDatabaseServer(flags);
  const id = await publishRules(
    server,
    rules.source,
    readOption(RULES_PUBLISH_OPTIONS.message, flags.message),
  );
  process.stdout.write(`Published ${rules.name} for ${server.database} as version ${id}.\n`);
}

/** Returns a line with the column headings, and one line for each version. */
export function formatVersions(versions: readonly PublishedVersion[]): readonly string[] {
  return formatTable([['version', 'published', 'by', 'size', 'message'], ...versions.map(cellsOf)]);
}

/**
 * Returns the lines for a version: its difference from the previous version, or its source if there is no
 * difference to show.
 */
export function formatVersion(version: VersionDetails, paint: Paint): readonly string[] {
  const [id, time, author, size, message] = cellsOf(version);
  return [
    paint('bold', `Version ${id}, published ${time} by ${author}, ${size}`),
    ...(message === undefined || message === '' ? [] : [message]),
    '',
    ...(version.difference === null
      ? version.source.split('\n')
      : version.difference.split('\n').map((line) => paintDifference(line, paint))),
  ];
}

function cellsOf({ id, timeMs, author, bytes, message, rolledBackTo }: PublishedVersion): readonly string[] {
  const notes = [rolledBackTo === null ? '' : `rolled back to ${rolledBackTo}`, printable(message ?? '')];
  return [
    String(id),
    timeMs === null ? 'at an unknown time' : formatTime(timeMs),
    printable(author),
    formatBytes(bytes),
    notes.filter((note) => note !== '').join(': '),
  ];
}

function paintDifference(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint('green', line);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('@') ? paint('dim', line) : line;
}

/**
 * Runs `hearth rules history`: prints the published versions, newest first, or the changes of one version.
 * Rejects with a message for the user if a request fails.
 */
export async function runRulesHistory(
  flags: FlagsOf<typeof RULES_HISTORY_OPTIONS>,
  version?: string,
): Promise<void> {
  const format = readOption(RULES_HISTORY_OPTIONS.format, flags.format);
  const id = version === undefined ? undefined : parseListed(version, 'the version');
  const server = readDatabaseServer(flags);
  if (id === undefined) {
    const versions = await listVersions(server);
    printOutcome(format, { versions }, () =>
      versions.length === 0 ? ['No rules have been published yet.'] : formatVersions(versions),
    );
    return;
  }
  const found = await readVersion(server, id);
  printOutcome(format, found, () => formatVersion(found, paintFor(process.stdout)));
}

/**
 * Runs `hearth rules rollback`: publishes an earlier version again. Rejects with a message for the user if
 * there is no earlier version.
 */
export async function runRulesRollback(
  flags: FlagsOf<typeof RULES_PUBLISH_OPTIONS>,
  version?: string,
): Promise<void> {
  const named = version === undefined ? undefined : parseListed(version, 'the version');
  const message = readOption(RULES_PUBLISH_OPTIONS.message, flags.message);
  const server = readDatabaseServer(flags);
  const [current, ...earlier] = await listVersions(server);
  if (current === undefined)
    throw new CommandFailure(`No rules of ${server.database} have been published yet.`);
  const to = named ?? requireEarlierVersion(current, earlier);
  const id = await rollBackRules(server, to, current.id, message);
  process.stdout.write(
    id === current.id
      ? `Nothing to publish: version ${to} is already current for ${server.database}, as version ${id}.\n`
      : `Published version ${to} for ${server.database} again, as version ${id}.\n`,
  );
}

/**
 * Returns the number of the version before the current one. If the current version is a rollback, returns the
 * number of the version before its target. Throws a `CommandFailure` if there is no such version.
 */
function requireEarlierVersion(current: PublishedVersion, earlier: readonly PublishedVersion[]): number {
  const effectiveId = current.rolledBackTo ?? current.id;
  const found = earlier.find(({ id }) => id < effectiveId);
  if (found !== undefined) return found.id;
  const [last] = earlier;
  throw new CommandFailure(
    last === undefined
      ? 'No earlier version exists. See hearth rules history.'
      : `Version ${effectiveId} is current again, and no version before it exists. To undo the rollback: ${programName()} rules rollback ${last.id}`,
  );
}
