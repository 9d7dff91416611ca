import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  BACKUP_OPTIONS,
  DOCTOR_OPTIONS,
  EXPORT_OPTIONS,
  IMPORT_OPTIONS,
  RESTORE_OPTIONS,
} from '../ops/command-options.ts';
import { formatFallback } from '../ops/option.ts';
import { OPTIONS } from '../ops/options.ts';
import type { OptionTable } from './command.ts';
import { createProgram } from './program.ts';

const REFERENCE = readFileSync(new URL('../../../../docs/reference/cli.md', import.meta.url), 'utf8');

const TABLES: Readonly<Record<string, OptionTable>> = {
  dev: OPTIONS,
  export: EXPORT_OPTIONS,
  import: IMPORT_OPTIONS,
  backup: BACKUP_OPTIONS,
  restore: RESTORE_OPTIONS,
  doctor: DOCTOR_OPTIONS,
};

test('[H45] the reference has a section for every command', () => {
  const commands = createProgram().commands.map((command) => command.name());
  expect(Object.keys(TABLES)).toEqual(commands);
});

test.each(Object.entries(TABLES))(
  '[H45] the reference lists every option of %s as it is',
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
