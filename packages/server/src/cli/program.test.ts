import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { CLUSTER_CONNECTION_OPTIONS } from '../platform/network/cluster-options.ts';
import { formatFallback } from '../platform/option.ts';
import { SERVE_OPTIONS } from '../platform/serve-options.ts';
import { OPTIONS } from '../platform/server-options.ts';
import { DETACH_OPTIONS, INIT_OPTIONS } from './cluster/options.ts';
import type { OptionTable } from './command.ts';
import {
  BACKUP_OPTIONS,
  DOCTOR_OPTIONS,
  EXPORT_OPTIONS,
  IMPORT_OPTIONS,
  RESTORE_OPTIONS,
} from './options.ts';
import { createProgram } from './program.ts';
import { PROJECT_APP_CHECK_OPTIONS } from './projects/app-check-options.ts';
import { PROJECT_FUNCTIONS_OPTIONS, PROJECT_NATIVE_APPS_OPTIONS } from './projects/external/options.ts';
import { PROJECT_LOOK_OPTIONS } from './projects/look-options.ts';
import {
  PROJECT_CAPTCHA_OPTIONS,
  PROJECT_CREATE_OPTIONS,
  PROJECT_KEYS_OPTIONS,
  PROJECT_OPTIONS,
  PROJECT_ROLES_OPTIONS,
  PROJECT_SIGN_IN_OPTIONS,
  PROJECT_SMS_OPTIONS,
} from './projects/options.ts';
import { PROJECT_PROVIDERS_OPTIONS } from './projects/provider-options.ts';
import { PROJECT_SIGN_UP_OPTIONS } from './projects/sign-up-options.ts';
import { PROJECT_TENANTS_OPTIONS } from './projects/tenant-options.ts';
import {
  RULES_CHECK_OPTIONS,
  RULES_DENIALS_OPTIONS,
  RULES_EXPLAIN_OPTIONS,
  RULES_HISTORY_OPTIONS,
  RULES_PUBLISH_OPTIONS,
  RULES_REPLAY_OPTIONS,
  RULES_TEST_OPTIONS,
} from './rules/options.ts';
import {
  USERS_CREATE_OPTIONS,
  USERS_DISABLE_OPTIONS,
  USERS_IMPORT_OPTIONS,
  USERS_OPTIONS,
  USERS_VERIFY_IMPORT_OPTIONS,
} from './users/options.ts';

const REFERENCE = readFileSync(new URL('../../../../docs/reference/cli.md', import.meta.url), 'utf8');

const TABLES: Readonly<Record<string, OptionTable>> = {
  dev: OPTIONS,
  serve: SERVE_OPTIONS,
  export: EXPORT_OPTIONS,
  import: IMPORT_OPTIONS,
  backup: BACKUP_OPTIONS,
  restore: RESTORE_OPTIONS,
  doctor: DOCTOR_OPTIONS,
  'cluster status': CLUSTER_CONNECTION_OPTIONS,
  'cluster hand-over': CLUSTER_CONNECTION_OPTIONS,
  'cluster init': INIT_OPTIONS,
  'cluster detach': DETACH_OPTIONS,
  'project create': PROJECT_CREATE_OPTIONS,
  'project list': PROJECT_OPTIONS,
  'project keys': PROJECT_KEYS_OPTIONS,
  'project sign-in': PROJECT_SIGN_IN_OPTIONS,
  'project sign-up': PROJECT_SIGN_UP_OPTIONS,
  'project sms': PROJECT_SMS_OPTIONS,
  'project providers': PROJECT_PROVIDERS_OPTIONS,
  'project captcha': PROJECT_CAPTCHA_OPTIONS,
  'project app-check': PROJECT_APP_CHECK_OPTIONS,
  'project functions': PROJECT_FUNCTIONS_OPTIONS,
  'project native-apps': PROJECT_NATIVE_APPS_OPTIONS,
  'project look': PROJECT_LOOK_OPTIONS,
  'project tenants': PROJECT_TENANTS_OPTIONS,
  'project roles': PROJECT_ROLES_OPTIONS,
  'rules check': RULES_CHECK_OPTIONS,
  'rules test': RULES_TEST_OPTIONS,
  'rules explain': RULES_EXPLAIN_OPTIONS,
  'rules replay': RULES_REPLAY_OPTIONS,
  'rules publish': RULES_PUBLISH_OPTIONS,
  'rules history': RULES_HISTORY_OPTIONS,
  'rules rollback': RULES_PUBLISH_OPTIONS,
  'rules denials': RULES_DENIALS_OPTIONS,
  'users import': USERS_IMPORT_OPTIONS,
  'users verify-import': USERS_VERIFY_IMPORT_OPTIONS,
  'users export': USERS_OPTIONS,
  'users create': USERS_CREATE_OPTIONS,
  'users disable': USERS_DISABLE_OPTIONS,
  'users reset': USERS_OPTIONS,
};

/** Returns the names of all commands. Each subcommand follows the name of its group. */
function commandNames(command: Command, prefix = ''): readonly string[] {
  return command.commands.flatMap((each) => {
    const name = `${prefix}${each.name()}`;
    return each.commands.length === 0 ? [name] : commandNames(each, `${name} `);
  });
}

test('[H45] the reference has a section for every command', () => {
  expect(Object.keys(TABLES)).toEqual(commandNames(createProgram()));
});

test.each(Object.entries(TABLES))(
  '[H45] the reference lists every option of %s with the text of its help',
  (name, options) => {
    const [, section = ''] = REFERENCE.split(`\n## hearth ${name}\n`);
    const [own = ''] = section.split('\n## ');
    expect(own.split('\n').filter((line) => line.startsWith('| `--'))).toEqual(
      Object.values(options).map((option) => {
        const fallback = formatFallback(option);
        const environment = option.environment === null ? '' : ` \`${option.environment}\``;
        return `| \`${option.flag}\` |${environment} |${fallback === '' ? '' : ` \`${fallback}\``} | ${option.help} |`;
      }),
    );
  },
);
