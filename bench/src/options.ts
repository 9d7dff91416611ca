import { parseArgs } from 'node:util';

/** What the command line asks for. */
export type BenchOptions = {
  readonly scenarios: readonly string[];
  readonly quick: boolean;
  readonly write: boolean;
  readonly standIn: boolean;
  readonly rounds: number;
  readonly seed: number;
};

/** Parses the command line; an empty list of scenarios means all. Throws a sentence for the user on anything it cannot use. */
export function parseBenchOptions(argv: readonly string[], known: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      'stand-in': { type: 'boolean', default: false },
      rounds: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`there is no scenario "${unknown}"; there are ${known.join(', ')}`);
  if (values.write && (values.quick || values['stand-in']))
    throw new Error('only full runs against Hearth are written down');
  return {
    scenarios: positionals.length > 0 ? positionals : known,
    quick: values.quick,
    write: values.write,
    standIn: values['stand-in'],
    rounds: parseWhole(values.rounds, '--rounds'),
    seed: parseWhole(values.seed, '--seed'),
  };
}

function parseWhole(text: string, option: string): number {
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) === 0)
    throw new Error(`${option} takes a whole number above zero, not "${text}"`);
  return Number(text);
}
