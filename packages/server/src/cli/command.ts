import { Argument, Command, Option } from 'commander';
import { type FlagsOf, formatFallback, type OptionSpec } from '../platform/option.ts';

export type OptionTable = Readonly<Record<string, OptionSpec<unknown>>>;

/** Runs a command to its end; rejects with a `StartFailure` or another failure that says why it cannot. */
export type RunCommand<Options extends OptionTable> = (
  flags: FlagsOf<Options>,
  ...given: string[]
) => Promise<void>;

/** One command of the program. */
export interface CommandSpec<Options extends OptionTable> {
  readonly name: string;
  readonly help: string;
  /** What it is given beside options: `<file>` must be there, `[file]` may be, of `<files...>` there may be several. */
  readonly argument?: { readonly name: string; readonly help: string };
  readonly options: Options;
  /** Reads what the command needs and the others do not, so that each starts at once. */
  readonly load: () => Promise<RunCommand<Options>>;
}

export function createCommand<Options extends OptionTable>(spec: CommandSpec<Options>): Command {
  const command = new Command(spec.name).description(spec.help);
  for (const option of Object.values(spec.options)) command.addOption(createOption(option));
  const run: RunCommand<Options> = async (...given) => (await spec.load())(...given);
  if (spec.argument === undefined) return command.action((flags: FlagsOf<Options>) => run(flags));
  const { name, help } = spec.argument;
  return command
    .addArgument(new Argument(name, help))
    .action((given: string | readonly string[] | undefined, flags: FlagsOf<Options>) =>
      run(flags, ...(given === undefined ? [] : [given].flat())),
    );
}

function createOption(spec: OptionSpec<unknown>): Option {
  const fallback = formatFallback(spec);
  const notes = [fallback === '' ? '' : `default ${fallback}`, spec.environment ?? ''];
  const shown = notes.filter((note) => note !== '').join('; ');
  const option = new Option(spec.flag, shown === '' ? spec.help : `${spec.help} (${shown})`);
  return spec.isRepeatable ? option.argParser(append) : option;
}

function append(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
