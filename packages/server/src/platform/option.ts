import { StartFailure } from './failures.ts';

/** One setting: how it is named on the command line and in the environment, and how its text is read. */
export interface OptionSpec<T> {
  /** As shown in the help, for example `--port <number>`. */
  readonly flag: string;
  /** `null` for what only one command line can mean. */
  readonly environment: string | null;
  readonly help: string;
  readonly fallback: T;
  /** May be given several times; in the environment, separated by commas. */
  readonly isRepeatable: boolean;
  /**
   * `name` is what the user wrote, for messages; the text of a flag that is given without a value is empty. Throws a
   * `StartFailure`.
   */
  readonly parse: (texts: readonly string[], name: string) => T;
}

/** What the command line gives for one option: its text, its texts if it may be repeated, or just the flag. */
export type Flag = string | readonly string[] | true;

/** What the command line gives for each option of a table. */
export type FlagsOf<Specs> = { readonly [Name in keyof Specs]?: Flag };

/** The options of a table with their values. */
export type ValuesOf<Specs extends Readonly<Record<string, OptionSpec<unknown>>>> = {
  readonly [Name in keyof Specs]: ReturnType<Specs[Name]['parse']>;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** The command line's word, else the environment's, else the default. Throws a `StartFailure` on a bad value. */
export function readOption<T>(
  spec: OptionSpec<T>,
  given: Flag | undefined,
  environment: Environment = process.env,
  fallback = spec.fallback,
): T {
  if (given !== undefined) {
    const name = spec.flag.split(' ', 1).join('');
    return spec.parse(given === true ? [''] : typeof given === 'string' ? [given] : given, name);
  }
  const text = spec.environment === null ? undefined : environment[spec.environment];
  if (spec.environment === null || text === undefined || text === '') return fallback;
  return spec.parse(spec.isRepeatable ? text.split(',') : [text], spec.environment);
}

/** The default of an option as people read it; empty if there is none worth telling. */
export function formatFallback({ fallback }: OptionSpec<unknown>): string {
  return fallback === null || fallback === false ? '' : String(fallback);
}

/** Of an option that is given more than once the last word counts. */
export function single<T>(
  parse: (text: string, name: string) => T,
): (texts: readonly string[], name: string) => T {
  return (texts, name) => parse(texts.at(-1) ?? '', name);
}

/** An option without a value: off unless it is given. */
export function switchOption(flag: string, help: string): OptionSpec<boolean> {
  return { flag, environment: null, help, fallback: false, isRepeatable: false, parse: () => true };
}

export function parseWhole(text: string, name: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^[0-9]{1,15}$/.test(text) || value < least || value > most)
    throw new StartFailure(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
  return value;
}

export function parseDirectoryName(text: string, name: string): string {
  if (text === '' || text.includes('\0'))
    throw new StartFailure(`${name} must name a directory, not "${text}".`);
  return text;
}

export function parseProject(text: string, name: string): string {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/.test(text))
    throw new StartFailure(
      `${name} must be 1 to 30 lower-case letters, digits and inner hyphens, not "${text}".`,
    );
  return text;
}
