import { StartFailure } from '../../platform/failures.ts';
import { type OptionSpec, single, switchOption } from '../../platform/option.ts';
import { OPTIONS } from '../../platform/server-options.ts';
import { SERVER_OPTIONS } from '../options.ts';

export const PROJECT_OPTIONS = {
  data: { ...OPTIONS.data, help: 'data directory of the server, if it runs on this machine' },
  url: {
    ...SERVER_OPTIONS.url,
    help: 'address of the server, if it runs elsewhere; needs --token',
    fallback: nothing(),
    parse: (texts: readonly string[], name: string): string | null => SERVER_OPTIONS.url.parse(texts, name),
  },
  token: { ...SERVER_OPTIONS.token, help: 'credential of an administrator of the whole server' },
} as const satisfies Record<string, OptionSpec<unknown>>;

export const PROJECT_KEYS_OPTIONS = {
  ...PROJECT_OPTIONS,
  new: switchOption('--new', 'create another API key'),
  revoke: {
    flag: '--revoke <key>',
    environment: null,
    help: 'revoke an API key, or a key of the service account that --service-account names',
    fallback: nothing(),
    isRepeatable: false,
    parse: single((text): string | null => text),
  },
  serviceAccount: {
    flag: '--service-account <name>',
    environment: null,
    help: 'create a key file for a service account; creates the account if it does not exist',
    fallback: nothing(),
    isRepeatable: false,
    parse: single((text): string | null => text),
  },
  role: {
    flag: '--role <role>',
    environment: null,
    help: 'role of a new service account; may be repeated; without it, all except identity.hashReader, identity.tokenCreator and project.owner',
    fallback: noTexts(),
    isRepeatable: true,
    parse: (texts): readonly string[] => texts,
  },
  out: {
    flag: '--out <file>',
    environment: null,
    help: 'path of the key file; without it, <name>@<project>.json in the current directory',
    fallback: nothing(),
    isRepeatable: false,
    parse: single((text, name): string | null => {
      if (text === '' || text.includes('\0')) throw new StartFailure(`${name} must name a file.`);
      return text;
    }),
  },
} as const satisfies Record<string, OptionSpec<unknown>>;

function nothing(): string | null {
  return null;
}

function noTexts(): readonly string[] {
  return [];
}
