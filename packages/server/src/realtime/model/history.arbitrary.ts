import fc from 'fast-check';
import type { ClientRequest, Fault, Guess, ModelEvent, Step, UpdateFields } from './step.fixture.ts';

/** Few keys, so that requests collide. One of them is the child that indexes use. */
const KEYS = ['a', 'b', 'n', '1', '10', 'é'] as const;
const CLIENTS = 3;

const keys = fc.constantFrom(...KEYS);
const paths = fc.array(keys, { maxLength: 3 }).map((segments) => segments.join('/'));

const placeholders = fc.oneof(
  fc.constant('".sv":"timestamp"'),
  fc.constantFrom('1', '-2', '0.5', '9223372036854775806', '1e308').map((by) => `".sv":{"increment":${by}}`),
);

const priorities = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('null', '0', '1', '-1.5', '9007199254740993', '"p"', '"q"') },
  { weight: 1, arbitrary: placeholders.map((placeholder) => `{${placeholder}}`) },
);

// Some are long enough that nodes are split over several entries of the store.
const scalars = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('true', 'false', '0', '1', '-1', '2', '2.5', '"a"', '"b"', '""') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('9007199254740993', '9223372036854775807', '-9007199254740993', '1e308'),
  },
  { weight: 1, arbitrary: fc.constantFrom(600, 1000, 2500).map((length) => `"${'x'.repeat(length)}"`) },
);

const leaves = fc.oneof(
  { weight: 6, arbitrary: scalars },
  {
    weight: 2,
    arbitrary: fc.tuple(scalars, priorities).map(([value, p]) => `{".value":${value},".priority":${p}}`),
  },
  { weight: 1, arbitrary: placeholders.map((placeholder) => `{${placeholder}}`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(placeholders, priorities)
      .map(([placeholder, p]) => `{${placeholder},".priority":${p}}`),
  },
);

/** Many children, which fit only into separate entries. */
const wide = fc.integer({ min: 20, max: 40 }).map((count) => {
  const child = (i: number): string => `"k${i}":{"n":${(i * 7) % 11},"t":"${'y'.repeat(70)}"}`;
  return `{${Array.from({ length: count }, (_, i) => child(i)).join(',')}}`;
});

const values: fc.Arbitrary<string> = fc.letrec<{ value: string; inner: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: leaves },
    { weight: 1, arbitrary: fc.constant('null') },
    { weight: 4, arbitrary: tie('inner') },
  ),
  inner: fc
    .tuple(
      fc.uniqueArray(fc.tuple(keys, tie('value')), { maxLength: 4, selector: ([key]) => key }),
      fc.option(priorities),
    )
    .map(([children, priority]) => {
      const fields = children.map(([key, json]) => `"${key}":${json}`);
      if (priority !== null) fields.push(`".priority":${priority}`);
      return `{${fields.join(',')}}`;
    }),
})).value;

const written = fc.oneof(
  { weight: 8, arbitrary: values },
  { weight: 3, arbitrary: fc.constant('null') },
  { weight: 1, arbitrary: wide },
);

/** A path and the JSON written there. Sometimes the path is that of a priority. */
const pathWrites: fc.Arbitrary<readonly [path: string, json: string]> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(paths, written) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      paths.map((path) => `${path}/.priority`),
      priorities,
    ),
  },
);

const updates: fc.Arbitrary<UpdateFields> = fc.uniqueArray(pathWrites, {
  maxLength: 4,
  selector: ([path]) => path,
});

const boundValues = fc.constantFrom('null', 'false', 'true', '0', '1', '2', '"a"', '"b"', '9007199254740993');
const boundKeys = fc.constantFrom(...KEYS, '[MIN_NAME]', '[MAX_NAME]');

function bound(isKeyIndex: boolean, names: readonly [value: string, key: string, inclusive: string]) {
  const [value, key, inclusive] = names;
  const text = fc.tuple(
    isKeyIndex ? boundKeys.map((name) => JSON.stringify(name)) : boundValues,
    fc.option(boundKeys),
    fc.option(fc.boolean()),
  );
  return fc.option(
    text.map(([json, name, isInclusive]) => [
      `"${value}":${json}`,
      ...(name === null ? [] : [`"${key}":"${name}"`]),
      ...(isInclusive === null ? [] : [`"${inclusive}":${isInclusive}`]),
    ]),
    { nil: [] },
  );
}

const limits = fc.option(
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('l', 'r'))
    .map(([limit, side]) => [`"l":${limit}`, `"vf":"${side}"`]),
  { nil: [], freq: 4 },
);

const queries: fc.Arbitrary<string> = fc
  .constantFrom(null, '.key', '.value', '.priority', 'n', 'n', 'n/a')
  .chain((index) =>
    fc.tuple(
      fc.constant(index === null ? [] : [`"i":"${index}"`]),
      bound(index === '.key', ['sp', 'sn', 'sin']),
      bound(index === '.key', ['ep', 'en', 'ein']),
      limits,
    ),
  )
  .map((parts) => `{${parts.flat().join(',')}}`);

const guesses: fc.Arbitrary<Guess> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Guess>('none') },
  { weight: 2, arbitrary: fc.constant<Guess>('right') },
  { weight: 1, arbitrary: fc.constantFrom<Guess>('wrong', 'absent') },
);

const which = fc.nat({ max: 5 });

const requests: fc.Arbitrary<ClientRequest> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(pathWrites, guesses)
      .map(([[path, json], guess]): ClientRequest => ({ kind: 'put', path, json, guess })),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(paths, updates, guesses)
      .map(([path, fields, guess]): ClientRequest => ({ kind: 'merge', path, fields, guess })),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('listen'),
      path: paths,
      queryJson: fc.option(queries, { freq: 3 }),
      isHeld: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('relisten'), which, isHeld: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('unlisten'), which, by: fc.constantFrom('tag', 'query') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('get'),
      path: paths,
      queryJson: fc.option(queries, { freq: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: pathWrites.map(([path, json]): ClientRequest => ({ kind: 'queue-write', path, json })),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('queue-update'), path: paths, fields: updates }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), path: paths }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'unauth' }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'leave' }) },
);

const clients = fc.nat({ max: CLIENTS - 1 });

const events: fc.Arbitrary<ModelEvent> = fc.oneof(
  { weight: 30, arbitrary: fc.record({ kind: fc.constant('request'), client: clients, request: requests }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rules'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('link'), path: paths, number: fc.nat({ max: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('work'), entries: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'bug' }) },
);

const faults: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ kind: 'none' }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('full'), atPut: fc.option(fc.nat({ max: 12 })) }) },
);

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('transaction'),
      events: fc.array(events, { minLength: 1, maxLength: 5 }),
      fault: faults,
      passedMs: fc.integer({ min: -3, max: 10 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('identify'),
      client: clients,
      as: fc.constantFrom('user', 'owner', 'unreadable'),
      next: fc.array(requests, { maxLength: 3 }),
      fault: faults,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retry'), fault: faults }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart'), isClean: fc.boolean() }) },
);

/** Requests of clients and administrators, and events of the machine, for one server, in order. */
export const histories: fc.Arbitrary<readonly Step[]> = fc.array(steps, {
  minLength: 3,
  maxLength: 16,
  size: 'max',
});
