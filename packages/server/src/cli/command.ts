import { Argument, Command, Option } from 'commander';
import { type FlagsOf, formatFallback, type OptionSpec } from '../platform/option.ts';

export type OptionTable = Readonly<Record<string, OptionSpec<unknown>>>;

/** Runs a command. Rejects with a `StartFailure` or another error whose message explains the failure. */
export type RunCommand<Options extends OptionTable> = (
  flags: FlagsOf<Options>,
  ...args: string[]
) => Promise<void>;

/** A command of the program. */
export interface CommandSpec<Options extends OptionTable> {
  readonly name: string;
  readonly help: string;
  /**
   * The argument of the command in addition to its options: `<file>` is required, `[file]` is optional, and
   * `<files...>` accepts several.
   */
  readonly argument?: { readonly name: string; readonly help: string };
  readonly options: Options;
  /** Loads the code that only this command needs, so that every command starts fast. */
  readonly load: () => Promise<RunCommand<Options>>;
}

export function createCommand<Options extends OptionTable>(spec: CommandSpec<Options>): Command {
  const command = new Command(spec.name).description(spec.help);
  for (const option of Object.values(spec.options)) command.addOption(createOption(option));
  const run: RunCommand<Options> = async (...args) => (await spec.load())(...args);
  if (spec.argument === undefined) return command.action((flags: FlagsOf<Options>) => run(flags));
  const { name, help } = spec.argument;
  return command
    .addArgument(new Argument(name, help))
    .action((args: string | readonly string[] | undefined, flags: FlagsOf<Options>) =>
      run(flags, ...(args === undefined ? [] : [args].flat())),
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
