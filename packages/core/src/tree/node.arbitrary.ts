import fc from 'fast-check';
import { type Key, parseKey } from './key.ts';
import {
  canonicalNumber,
  innerNode,
  type LeafNode,
  leafNode,
  type Priority,
  type Scalar,
  type TreeNode,
} from './node.ts';
import { type Path, pathOf } from './path.ts';

/** A pool small enough that random paths overlap. It contains every special case of key order. */
const COMMON_KEYS = [
  ...['a', 'b', 'ab', 'n', 'z', '~', ' ', '-', '"', '\\', 'é', 'e\u0301'],
  ...['0', '-0', '00', '1', '01', '001', '2', '9', '10', '-1', '-01'],
  ...['2147483647', '2147483648', '-2147483648', '-2147483649', '00000000000000000001', '12345678901'],
  ...['\ud83d\ude00', '\ufffd', '\uffff', '__proto__', 'constructor', 'hasOwnProperty', 'length'],
].map(parseKey);

// U+2028 and U+FFFD are valid text that software often handles incorrectly. The surrogates may be alone or
// form pairs.
const unusualCodeUnit = fc.constantFrom(
  '\ud83d',
  '\ude00',
  '\udfff',
  '\u2028',
  '\ufffd',
  '\uffff',
  '\u0000',
  '"',
  '\\',
  'x',
);

/** Generates texts of every kind: empty, ASCII, any Unicode, lone surrogates. */
export const textArbitrary: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'a', 'b', '1', 'true', 'null', '.value', '[MIN_NAME]'),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: unusualCodeUnit, maxLength: 6 }),
);

/** Generates any valid key without lone surrogates. */
const anyKeyArbitrary: fc.Arbitrary<Key> = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
    fc.string({ minLength: 1, maxLength: 200 }),
  )
  .map((text) => text.replace(/[^ -"%-\-0-Z\\^-~\u0080-\u{10ffff}]/gu, '_'))
  .map(parseKey);

/**
 * Generates valid keys, mostly from a small pool. The keys have no lone surrogates, because UTF-8 encodes all lone
 * surrogates alike.
 */
export const keyArbitrary: fc.Arbitrary<Key> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...COMMON_KEYS) },
  { weight: 1, arbitrary: anyKeyArbitrary },
);

/** Generates any number that a leaf may hold, in canonical form: doubles, and bigints of 64 bits. */
export const numberArbitrary: fc.Arbitrary<number | bigint> = fc
  .oneof(
    fc.constantFrom<number | bigint>(0, 1, 2, -1, 0.5, 5e-324, -1e300, 1.7976931348623157e308),
    fc.constantFrom<number | bigint>(
      2 ** 53 - 1,
      2n ** 53n,
      2n ** 53n + 1n,
      2n ** 63n - 1n,
      -(2n ** 63n),
      2 ** 63,
    ),
    fc.integer({ min: -5, max: 5 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  )
  .map(canonicalNumber);

/** Generates the value of a leaf. */
export const scalarArbitrary: fc.Arbitrary<Scalar> = fc.oneof(fc.boolean(), numberArbitrary, textArbitrary);

/** Generates a priority, `null` in most cases. */
export const priorityArbitrary: fc.Arbitrary<Priority> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: numberArbitrary.map(Number) },
  { weight: 1, arbitrary: textArbitrary },
);

const leafArbitrary: fc.Arbitrary<LeafNode> = fc
  .tuple(scalarArbitrary, priorityArbitrary)
  .map(([value, priority]) => leafNode(value, priority));

/**
 * Generates trees with at most `maxDepth` levels below their root and at most `maxChildren` children per
 * node. The trees are never empty.
 */
export function nodesOf(maxDepth: number, maxChildren: number): fc.Arbitrary<TreeNode> {
  if (maxDepth === 0) return leafArbitrary;
  const entry = fc.tuple(keyArbitrary, nodesOf(maxDepth - 1, maxChildren));
  const inner = fc
    .tuple(fc.array(entry, { minLength: 1, maxLength: maxChildren }), priorityArbitrary)
    .map(([entries, priority]) => innerNode(entries, priority) ?? leafNode(true));
  return fc.oneof({ weight: 1, arbitrary: leafArbitrary }, { weight: 2, arbitrary: inner });
}

/** Generates trees that are not empty. */
export const nodeArbitrary: fc.Arbitrary<TreeNode> = nodesOf(3, 5);

/** Generates a tree or `null`. */
export const treeArbitrary: fc.Arbitrary<TreeNode | null> = fc.option(nodeArbitrary, { freq: 6 });

/** Generates paths of up to four keys, including the root. */
export const pathArbitrary: fc.Arbitrary<Path> = fc.array(keyArbitrary, { maxLength: 4 }).map(pathOf);
