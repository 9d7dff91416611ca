import { setTimeout } from 'node:timers/promises';
import { StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { programName } from '../../platform/process.ts';
import {
  type AnswerJson,
  callDatabaseApi,
  type DatabaseServer,
  parseListed,
  readDatabaseServer,
} from './database-client.ts';
import { formatExplanation } from './format-trace.ts';
import { RULES_DENIALS_OPTIONS } from './options.ts';
import {
  formatTable,
  formatTime,
  type Paint,
  paintFor,
  plural,
  printable,
  printOutcome,
} from './terminal.ts';
import {
  formatRuleName,
  parseKind,
  parseRuleName,
  parseStep,
  type ShownExplanation,
  type ShownRule,
  type ShownStep,
} from './trace.ts';

/** An operation that rules denied. */
export interface DenialReport {
  readonly id: number;
  readonly timeMs: number;
  readonly operation: string;
  readonly paths: readonly string[];
  /** The total number of paths. `paths` may list fewer. */
  readonly pathCount: number;
  /** A short label of the caller: a user ID, `anonymous` or `a user`. */
  readonly caller: string;
  /** The deciding rule, for example `.write of /rooms/$id`; `null` if no rule decided. */
  readonly rule: string | null;
}

export interface DenialList {
  /** Newest first. */
  readonly denials: readonly DenialReport[];
  /** The number of denials that the server did not store because too many arrived at the same time. */
  readonly sampledOut: number;
  /** The response of the server, unchanged. */
  readonly json: unknown;
}

/** Returns the latest denials, at most `limit`. With a `path`, returns only those at or below it. */
export async function listDenials(
  server: DatabaseServer,
  limit: number,
  path: string | null,
): Promise<DenialList> {
  const query = new URLSearchParams({ limit: String(limit), ...(path === null ? {} : { path }) });
  const answer = await callDatabaseApi(server, 'GET', `denials?${query}`);
  return {
    denials: answer.member('denials').items().map(parseListedDenial),
    sampledOut: answer.member('sampledOut').number(),
    json: answer.json,
  };
}

export interface ExplainedDenial {
  readonly denial: DenialReport;
  readonly explanation: ShownExplanation;
  /** The response of the server, unchanged. */
  readonly json: unknown;
}

/** Returns a denial with the results of its rules. */
export async function readDenial(server: DatabaseServer, id: number): Promise<ExplainedDenial> {
  const answer = await callDatabaseApi(server, 'GET', `denials/${id}`);
  const rules = answer.member('rules').items().map(parseRule);
  const index = answer.member('deciding').optional((number) => number.number());
  const deciding = index === null ? null : (rules[index] ?? null);
  const denial = parseDenial(answer, deciding && formatRuleName(deciding));
  const [denied = null, ...others] = denial.paths;
  return {
    denial,
    // If the operation has several paths, only the deciding rule shows which path was denied.
    explanation: { isAllowed: false, deniedPath: others.length > 0 ? null : denied, rules, deciding },
    json: answer.json,
  };
}

function parseListedDenial(answer: AnswerJson): DenialReport {
  return parseDenial(answer, answer.member('rule').optional(parseRuleName));
}

function parseDenial(answer: AnswerJson, rule: string | null): DenialReport {
  return {
    id: answer.member('id').number(),
    timeMs: answer.member('timeMs').number(),
    operation: answer.member('operation').text(),
    paths: answer
      .member('paths')
      .items()
      .map((path) => path.text()),
    pathCount: answer.member('pathCount').number(),
    caller: parseCaller(answer.member('identity')),
    rule,
  };
}

function parseCaller(identity: AnswerJson): string {
  const { json } = identity.member('auth');
  if (json === null) return 'anonymous';
  if (typeof json !== 'object' || Array.isArray(json)) return 'a user';
  const uid: unknown = Object.entries(json).find(([name]) => name === 'uid')?.[1];
  return typeof uid === 'string' ? printable(uid) : 'a user';
}

/** Parses a rule of a stored denial. Its spans refer to the text of that rule. */
function parseRule(answer: AnswerJson): ShownRule {
  return {
    kind: parseKind(answer.member('kind')),
    location: answer.member('location').text(),
    place: answer.member('place').text(),
    holds: answer.member('holds').boolean(),
    step: parseStep(answer.member('step')),
    source: answer.member('text').text(),
    at: '',
  };
}

/** Returns the lines for a list of denials, including the number of denials that are not stored. */
export function formatDenialList({ denials, sampledOut }: DenialList): readonly string[] {
  return [
    ...formatLatest(denials),
    ...(sampledOut === 0
      ? []
      : ['', `Not stored: ${plural(sampledOut, 'more denial')}, because too many arrived at the same time.`]),
  ];
}

const HEADER = ['id', 'denied', 'caller', 'operation', 'path', 'decided by'];

function formatLatest(denials: readonly DenialReport[]): readonly string[] {
  const [latest] = denials;
  if (latest === undefined) return ['No denials.'];
  const table = formatTable([HEADER, ...denials.map(cellsOf)]);
  return [...table, '', `To see why: ${programName()} rules denials ${latest.id}`];
}

/** Returns one line for each denial. */
export function formatDenials(denials: readonly DenialReport[]): readonly string[] {
  return formatTable(denials.map(cellsOf));
}

/** Returns the lines for a denial with the results of its rules. */
export function formatDenial({ denial, explanation }: ExplainedDenial, paint: Paint): readonly string[] {
  const [id, time, caller, operation, paths] = cellsOf(denial);
  return [
    paint('bold', `Denial ${id}, ${time}: ${operation} of ${paths} by ${caller}`),
    '',
    ...formatExplanation(explanation, paint),
    ...(explanation.rules.some(({ step }) => isRedacted(step)) ? ['', NOT_STORED] : []),
  ];
}

const NOT_STORED = 'Denials do not store values of data. hearth rules explain shows the current values.';

function isRedacted({ value, steps }: ShownStep): boolean {
  return value.kind === 'redacted' || steps.some(isRedacted);
}

function cellsOf({ id, timeMs, operation, paths, pathCount, caller, rule }: DenialReport): readonly string[] {
  const more = pathCount - paths.length;
  const shownPaths = more > 0 ? [...paths, `${more} more`] : paths;
  return [
    String(id),
    formatTime(timeMs),
    caller,
    operation,
    printable(shownPaths.join(', ')),
    rule ?? 'no rule',
  ];
}

type DenialsFlags = FlagsOf<typeof RULES_DENIALS_OPTIONS>;

/** Interval between requests for new denials, in ms. */
const FOLLOW_INTERVAL_MS = 1_000;
/** Maximum number of denials per request. If more arrive between two requests, the oldest are omitted. */
const FOLLOW_LIMIT = 100;

/**
 * Runs `hearth rules denials`: prints the latest denials, newest first, or one denial with its trace. Rejects
 * with a message for the user if a request fails.
 */
export async function runRulesDenials(flags: DenialsFlags, id?: string): Promise<void> {
  const format = readOption(RULES_DENIALS_OPTIONS.format, flags.format);
  const limit = readOption(RULES_DENIALS_OPTIONS.limit, flags.limit);
  const path = readOption(RULES_DENIALS_OPTIONS.path, flags.path);
  const isFollowing = readOption(RULES_DENIALS_OPTIONS.follow, flags.follow);
  if (isFollowing && (id !== undefined || format === 'json'))
    throw new StartFailure(
      '--follow lists all denials as text. Do not combine it with a number or --format.',
    );
  const listed = id === undefined ? undefined : parseListed(id, 'the denial');
  const server = readDatabaseServer(flags);
  if (listed !== undefined) {
    const found = await readDenial(server, listed);
    printOutcome(format, found.json, () => formatDenial(found, paintFor(process.stdout)));
    return;
  }
  if (isFollowing) return follow(server, limit, path);
  const list = await listDenials(server, limit, path);
  printOutcome(format, list.json, () => formatDenialList(list));
}

/** Prints denials in order of arrival until the command is interrupted. */
async function follow(server: DatabaseServer, limit: number, path: string | null): Promise<void> {
  let last = 0;
  for (let wanted = limit; ; wanted = FOLLOW_LIMIT) {
    const { denials } = await listDenials(server, wanted, path);
    const newDenials = denials.filter(({ id }) => id > last).toReversed();
    for (const line of formatDenials(newDenials)) process.stdout.write(`${line}\n`);
    last = newDenials.at(-1)?.id ?? last;
    await pause(server.signal);
  }
}

/** Waits until the next request. Rejects with the reason of the signal when it is aborted. */
async function pause(signal: AbortSignal): Promise<void> {
  await setTimeout(FOLLOW_INTERVAL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
}
