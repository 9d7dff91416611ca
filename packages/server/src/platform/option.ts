import { StartFailure } from './failures.ts';

/**
 * The specification of one option: its names on the command line and in the environment, and how its text is
 * parsed.
 */
export interface OptionSpec<T> {
  /** The flag as shown in the help, for example `--port <number>`. */
  readonly flag: string;
  /**
   * Name of the environment variable; `null` for an option that makes sense only for a single command line.
   */
  readonly environment: string | null;
  readonly help: string;
  readonly fallback: T;
  /** Whether the option may be given several times. In the environment, commas separate the values. */
  readonly isRepeatable: boolean;
  /**
   * Parses the texts of the option. `name` is the flag or variable that the user wrote, for messages. The
   * text of a flag without a value is empty. Throws a `StartFailure` for an invalid value.
   */
  readonly parse: (texts: readonly string[], name: string) => T;
}

/**
 * The value of one option on the command line: a text, several texts if the option is repeatable, or `true`
 * for a flag alone.
 */
export type Flag = string | readonly string[] | true;

/** The command-line values of the options of a table. */
export type FlagsOf<Specs> = { readonly [Name in keyof Specs]?: Flag };

/** The parsed values of the options of a table. */
export type ValuesOf<Specs extends Readonly<Record<string, OptionSpec<unknown>>>> = {
  readonly [Name in keyof Specs]: ReturnType<Specs[Name]['parse']>;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the value from the command line, or else from the environment, or else the default. Throws a
 * `StartFailure` for an invalid value.
 */
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

/**
 * Returns the default of an option as the help shows it, or an empty string if the default is not worth
 * showing.
 */
export function formatFallback({ fallback }: OptionSpec<unknown>): string {
  return fallback === null || fallback === false ? '' : String(fallback);
}

/**
 * Returns a parser for an option with one value. If the option is given more than once, the last value
 * applies.
 */
export function single<T>(
  parse: (text: string, name: string) => T,
): (texts: readonly string[], name: string) => T {
  return (texts, name) => parse(texts.at(-1) ?? '', name);
}

/** Returns an option without a value. It is off unless given. */
export function switchOption(flag: string, help: string): OptionSpec<boolean> {
  return { flag, environment: null, help, fallback: false, isRepeatable: false, parse: () => true };
}

export function parseInteger(text: string, name: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^[0-9]{1,15}$/.test(text) || value < min || value > max)
    throw new StartFailure(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  return value;
}

export function parseDirectoryName(text: string, name: string): string {
  if (text === '' || text.includes('\0'))
    throw new StartFailure(`${name} must name a directory, not "${text}".`);
  return text;
}

export function parseProject(text: string, name: string): string {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/.test(text))
    throw new StartFailure(
      `${name} must be 1 to 50 lowercase letters, digits and inner hyphens, not "${text}".`,
    );
  return text;
}
