import fc from 'fast-check';
import { keyArbitrary, numberArbitrary, textArbitrary } from '../tree/node.arbitrary.ts';
import { parseQuery } from './fields.ts';
import { MAX_KEY, MIN_KEY, type Query } from './query.ts';

/** Half of the values are from a small set, so that bounds often equal the data. */
const boundValueArbitrary: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, false, true, 0, 1, 2, 'a', 'b', ''),
  fc.integer({ min: -3, max: 3 }),
  numberArbitrary,
  textArbitrary,
);

const boundKeyArbitrary = fc.oneof(keyArbitrary, fc.constantFrom<string>(MIN_KEY, MAX_KEY));

/** Generates the fields of one bound, or no fields. */
function boundFields(isKeyIndex: boolean, names: readonly [value: string, key: string, inclusive: string]) {
  const [value, key, inclusive] = names;
  const optional = {
    [key]: boundKeyArbitrary,
    [inclusive]: fc.boolean(),
  };
  const present = { [value]: isKeyIndex ? boundKeyArbitrary : boundValueArbitrary };
  return fc.oneof(fc.constant({}), fc.record({ ...present, ...optional }, { requiredKeys: [value] }));
}

/** Generates query objects as clients send them. The child indexes are `n`, `n/a` and `/a`. */
export const queryJsonArbitrary: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .constantFrom(undefined, '.key', '.value', '.priority', 'n', 'n/a', '/a')
  .chain((index) =>
    fc.tuple(
      fc.constant(index === undefined ? {} : { i: index }),
      boundFields(index === '.key', ['sp', 'sn', 'sin']),
      boundFields(index === '.key', ['ep', 'en', 'ein']),
      fc.record({ l: fc.integer({ min: 1, max: 5 }), vf: fc.constantFrom('l', 'r') }, { requiredKeys: [] }),
    ),
  )
  .map((parts) => Object.assign({}, ...parts));

/** Generates queries with every kind of index, range and limit. */
export const queryArbitrary: fc.Arbitrary<Query> = queryJsonArbitrary.map(parseQuery);
