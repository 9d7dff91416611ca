import { CommandFailure } from '../ops/command-failure.ts';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { RULES_PUBLISH_OPTIONS } from '../ops/rules-options.ts';
import { listVersions, type PublishedVersion, rollBackRules } from '../rules-cli/publication.ts';
import { parseListed } from './parse-listed.ts';
import { readDatabaseServer } from './rules-server.ts';

/** `hearth rules rollback`: publishes an earlier version once more. Rejects with a sentence when there is none. */
export async function runRulesRollback(
  flags: FlagsOf<typeof RULES_PUBLISH_OPTIONS>,
  version?: string,
): Promise<void> {
  const named = version === undefined ? undefined : parseListed(version, 'the version');
  const message = readOption(RULES_PUBLISH_OPTIONS.message, flags.message);
  const server = readDatabaseServer(flags);
  const [present, ...earlier] = await listVersions(server);
  if (present === undefined) throw new CommandFailure(`No rules of ${server.database} were published yet.`);
  const to = named ?? mustFindEarlier(present, earlier);
  const id = await rollBackRules(server, to, present.id, message);
  process.stdout.write(
    id === present.id
      ? `Nothing was published: version ${to} is in force for ${server.database}, as version ${id}.\n`
      : `Version ${to} is in force for ${server.database} again, as version ${id}.\n`,
  );
}

/** The version before the present one; where that is a rollback itself, the one before the version it went back to. */
function mustFindEarlier(present: PublishedVersion, earlier: readonly PublishedVersion[]): number {
  const meant = present.rolledBackTo ?? present.id;
  const found = earlier.find(({ id }) => id < meant);
  if (found !== undefined) return found.id;
  const [last] = earlier;
  throw new CommandFailure(
    last === undefined
      ? 'There is no earlier version: see hearth rules history.'
      : `There is no version before ${meant}, which is in force again: hearth rules rollback ${last.id} goes back to what was before.`,
  );
}
