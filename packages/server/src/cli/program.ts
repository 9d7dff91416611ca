import { Command, Option } from 'commander';
import { type Flags, OPTIONS } from '../ops/options.ts';
import { runDev } from './dev.ts';
import { readVersion } from './version.ts';

/** The command line. Parsing throws a `CommanderError` instead of ending the process. */
export function createProgram(): Command {
  const program = new Command('hearth')
    .description('A Realtime Database server for the clients of Firebase.')
    .version(readVersion())
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(oneSentence(text)) });
  const dev = program
    .command('dev')
    .description('Serve in development mode, on this machine only.')
    .action((flags: Flags) => runDev(flags));
  for (const { flag, help, fallback, environment, isRepeatable } of Object.values(OPTIONS)) {
    const preset = String(fallback) === '' ? '' : `default ${fallback}; `;
    const option = new Option(flag, `${help} (${preset}${environment})`);
    dev.addOption(isRepeatable ? option.argParser(append) : option);
  }
  return program;
}

function append(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** `error: unknown option '--prt'\n(Did you mean --port?)` on one line. */
function oneSentence(text: string): string {
  return `${text
    .replace(/^error: /, 'hearth: ')
    .trim()
    .replace(/\s*\n\s*/g, ' ')}\n`;
}
