import type { Random } from '../../../scripts/random.ts';

/** Characters and texts that parsers treat specially. */
const SPECIAL = [
  ...['"', '\\', '{', '}', '[', ']', ':', ',', '/', '.', '$', '#', '%', '&', '=', '?', '+', '-', ' ', '\t'],
  ...[
    '\0',
    '\n',
    '\r\n',
    '\u2028',
    '\ud800',
    '\udfff',
    '\ufeff',
    '\u{1f600}',
    'é',
    '\x7f',
    "'",
    '`',
    '(',
    ')',
  ],
  ...['null', 'true', 'NaN', '1e999', '-0', '9007199254740993', '0x10', '1e-400', '\\u0000', '\\ud800'],
  ...['.value', '.priority', '.sv', '.info', '.json', '..', '%00', '%2F', '%', '__proto__', 'constructor'],
];

/** Returns a text that differs from another in one to four places. */
export function mutateText(random: Random, text: string): string {
  let mutated = text;
  for (let left = 1 + random.below(4); left > 0; left--) mutated = mutateOnce(random, mutated);
  return mutated;
}

function mutateOnce(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + 1 + random.below(8));
  switch (random.below(8)) {
    case 0:
      return text.slice(0, at) + text.slice(end);
    case 1:
      return text.slice(0, at);
    case 2:
      return text.slice(0, end) + text.slice(at);
    case 3:
      return text.slice(0, at) + random.pick(SPECIAL).repeat(1 + random.below(40)) + text.slice(at);
    case 4:
      return text.slice(0, at) + String.fromCharCode(random.below(0x300)) + text.slice(at + 1);
    case 5:
      return text.slice(0, at) + text.slice(at, end).toUpperCase() + text.slice(end);
    default:
      return text.slice(0, at) + random.pick(SPECIAL) + text.slice(end);
  }
}

/** Returns bytes that differ from others in one to four places. */
export function mutateBytes(random: Random, bytes: Buffer): Buffer {
  const mutated = Buffer.from(bytes);
  for (let left = 1 + random.below(4); left > 0 && mutated.length > 0; left--)
    mutated[random.below(mutated.length)] = random.below(256);
  return random.below(4) === 0 ? mutated.subarray(0, random.below(mutated.length + 1)) : mutated;
}

const KEYS = [
  'a',
  'b',
  '.value',
  '.priority',
  '.sv',
  'timestamp',
  'increment',
  '__proto__',
  '',
  '0',
  '10',
  'é',
  '$x',
];
const SCALARS = [null, true, false, 0, -1, 1.5, 1e21, '', 'text', 'null', '\ud800', '\0', 'x'.repeat(800)];

/** Returns a JSON value, some of whose members have names with a meaning for the server. */
export function randomJson(random: Random, levels = 4): unknown {
  if (levels === 0 || random.below(3) === 0) return random.pick(SCALARS);
  const size = random.below(4);
  if (random.below(4) === 0) return Array.from({ length: size }, () => randomJson(random, levels - 1));
  return Object.fromEntries(
    Array.from({ length: size }, () => [random.pick(KEYS), randomJson(random, levels - 1)]),
  );
}

/** Returns a value in which one member of another is replaced by a random value. */
export function mutateFields(random: Random, value: Readonly<Record<string, unknown>>): unknown {
  const names = [...Object.keys(value), random.pick(KEYS)];
  return { ...value, [random.pick(names)]: randomJson(random, 2) };
}
