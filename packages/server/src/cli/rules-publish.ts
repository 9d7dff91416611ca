import { type FlagsOf, readOption } from '../ops/option.ts';
import { RULES_PUBLISH_OPTIONS } from '../ops/rules-options.ts';
import { publishRules } from '../rules-cli/publication.ts';
import { mustParseRules } from '../rules-cli/rules-source.ts';
import { readDatabaseServer, readRulesFor } from './rules-server.ts';

/**
 * `hearth rules publish`: puts rules in force on a running server. Rejects with every problem of the rules, or with a
 * sentence when the server does not take them.
 */
export async function runRulesPublish(
  flags: FlagsOf<typeof RULES_PUBLISH_OPTIONS>,
  file?: string,
): Promise<void> {
  const rules = readRulesFor(flags, file);
  mustParseRules(rules);
  const server = readDatabaseServer(flags);
  const id = await publishRules(
    server,
    rules.source,
    readOption(RULES_PUBLISH_OPTIONS.message, flags.message),
  );
  process.stdout.write(`${rules.name} is in force for ${server.database} as version ${id}.\n`);
}
