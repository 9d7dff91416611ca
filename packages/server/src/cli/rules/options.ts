import { StartFailure } from '../../platform/failures.ts';
import { type OptionSpec, parseInteger, single, switchOption } from '../../platform/option.ts';
import { SERVER_OPTIONS } from '../options.ts';

type Format = 'text' | 'json';

function textOption(flag: string, help: string): OptionSpec<string | null> {
  return {
    flag,
    environment: null,
    help,
    fallback: null,
    isRepeatable: false,
    parse: single((text) => text),
  };
}

/** The options of a server, for a command that needs `--data` for something else. */
const { data: _directory, ...SERVER_WITHOUT_DIRECTORY } = SERVER_OPTIONS;

const FORMAT: OptionSpec<Format> = {
  flag: '--format <format>',
  environment: null,
  help: 'output format: text or json',
  fallback: 'text',
  isRepeatable: false,
  parse: single(parseFormat),
};

export const RULES_CHECK_OPTIONS = {} as const satisfies Record<string, OptionSpec<unknown>>;

export const RULES_TEST_OPTIONS = {
  coverage: switchOption(
    '--coverage',
    'list expressions that were never true, never false or never evaluated',
  ),
  format: FORMAT,
} as const satisfies Record<string, OptionSpec<unknown>>;

export const RULES_EXPLAIN_OPTIONS = {
  as: textOption('--as <who>', 'a user ID, or the variable auth as JSON; without it, an anonymous caller'),
  read: textOption('--read <path>', 'explain a read'),
  write: textOption('--write <path>', 'explain a write of --value'),
  update: textOption(
    '--update <path>',
    'explain an update; --value contains the paths below and their values',
  ),
  value: textOption('--value <json>', 'the value to write, in export form'),
  query: textOption('--query <json>', 'the query of the read, with the names of the variable query'),
  rules: textOption(
    '--rules <file>',
    'rules file; without it, the published rules, or with --data, those that firebase.json names',
  ),
  data: textOption('--data <file>', 'JSON in export form to evaluate against, without a server'),
  format: FORMAT,
  ...SERVER_WITHOUT_DIRECTORY,
} as const satisfies Record<string, OptionSpec<unknown>>;

export const RULES_REPLAY_OPTIONS = {
  save: textOption('--save <file>', 'write the examples to a case file for hearth rules test'),
  format: FORMAT,
  ...SERVER_OPTIONS,
} as const satisfies Record<string, OptionSpec<unknown>>;

/** Options of `hearth rules publish` and `hearth rules rollback`. */
export const RULES_PUBLISH_OPTIONS = {
  message: textOption('--message <text>', 'description for the history'),
  ...SERVER_OPTIONS,
} as const satisfies Record<string, OptionSpec<unknown>>;

export const RULES_HISTORY_OPTIONS = { format: FORMAT, ...SERVER_OPTIONS } as const satisfies Record<
  string,
  OptionSpec<unknown>
>;

export const RULES_DENIALS_OPTIONS = {
  limit: {
    flag: '--limit <number>',
    environment: null,
    help: 'number of latest denials to print',
    fallback: 20,
    isRepeatable: false,
    parse: single((text, name) => parseInteger(text, name, 1, 100)),
  },
  path: textOption('--path <path>', 'only denials at or below a path'),
  follow: switchOption('--follow', 'keep printing new denials'),
  format: FORMAT,
  ...SERVER_OPTIONS,
} as const satisfies Record<string, OptionSpec<unknown>>;

function parseFormat(text: string, name: string): Format {
  if (text === 'text' || text === 'json') return text;
  throw new StartFailure(`${name} must be text or json, not "${text}".`);
}
