import { setTimeout } from 'node:timers/promises';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { RULES_DENIALS_OPTIONS } from '../ops/rules-options.ts';
import { StartFailure } from '../ops/start-failure.ts';
import type { DatabaseServer } from '../rules-cli/database-server.ts';
import { listDenials, readDenial } from '../rules-cli/denial-report.ts';
import { formatDenial, formatDenialList, formatDenials } from '../rules-cli/format-denial.ts';
import { paintFor } from '../rules-cli/paint.ts';
import { parseListed } from './parse-listed.ts';
import { printOutcome } from './print-outcome.ts';
import { readDatabaseServer } from './rules-server.ts';

type DenialsFlags = FlagsOf<typeof RULES_DENIALS_OPTIONS>;

/** How often the server is asked for more. */
const FOLLOW_INTERVAL_MS = 1_000;
/** Most that one look takes; beyond, the oldest are left out. */
const FOLLOW_LIMIT = 100;

/** `hearth rules denials`: prints what was denied lately, newest first, or one denial with its trace. */
export async function runRulesDenials(flags: DenialsFlags, id?: string): Promise<void> {
  const format = readOption(RULES_DENIALS_OPTIONS.format, flags.format);
  const limit = readOption(RULES_DENIALS_OPTIONS.limit, flags.limit);
  const path = readOption(RULES_DENIALS_OPTIONS.path, flags.path);
  const isFollowing = readOption(RULES_DENIALS_OPTIONS.follow, flags.follow);
  if (isFollowing && (id !== undefined || format === 'json'))
    throw new StartFailure(
      '--follow lists all denials, as text: give it without a number and without --format.',
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

/** Prints denials in the order in which they came, until it is interrupted. */
async function follow(server: DatabaseServer, limit: number, path: string | null): Promise<void> {
  let last = 0;
  for (let wanted = limit; ; wanted = FOLLOW_LIMIT) {
    const { denials } = await listDenials(server, wanted, path);
    const fresh = denials.filter(({ id }) => id > last).toReversed();
    for (const line of formatDenials(fresh)) process.stdout.write(`${line}\n`);
    last = fresh.at(-1)?.id ?? last;
    await pause(server.signal);
  }
}

/** Rejects as the signal says. */
async function pause(signal: AbortSignal): Promise<void> {
  await setTimeout(FOLLOW_INTERVAL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
}
