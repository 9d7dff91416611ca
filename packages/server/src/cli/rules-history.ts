import { type FlagsOf, readOption } from '../ops/option.ts';
import { RULES_HISTORY_OPTIONS } from '../ops/rules-options.ts';
import { formatVersion, formatVersions } from '../rules-cli/format-version.ts';
import { paintFor } from '../rules-cli/paint.ts';
import { listVersions, readVersion } from '../rules-cli/publication.ts';
import { parseListed } from './parse-listed.ts';
import { printOutcome } from './print-outcome.ts';
import { readDatabaseServer } from './rules-server.ts';

/** `hearth rules history`: prints the rules that were published, newest first, or what one version changed. */
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
      versions.length === 0 ? ['No rules were published yet.'] : formatVersions(versions),
    );
    return;
  }
  const found = await readVersion(server, id);
  printOutcome(format, found, () => formatVersion(found, paintFor(process.stdout)));
}
