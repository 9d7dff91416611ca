import { expect, test } from 'vitest';
import type { WholeDenial } from '../../../api/denials.ts';
import { parseForm } from '../simulator/question.ts';
import { caseOf, questionOf } from './denial-question.ts';

const DENIAL: WholeDenial = {
  id: 1,
  timeMs: 1_700_000_000_000,
  operation: 'listen',
  paths: ['/rooms/lobby'],
  pathCount: 1,
  identity: { kind: 'user', auth: { uid: 'bob' } },
  query: { orderByChild: 'owner', limitToFirst: null, orderByKey: false },
  rulesHash: '',
  cut: 'nothing',
  rules: [],
  deciding: null,
  values: null,
};

const WRITE: WholeDenial = {
  ...DENIAL,
  operation: 'put',
  identity: { kind: 'guest' },
  query: null,
  values: {
    writes: [{ kind: 'node', path: '/rooms/lobby', json: '{"n":9007199254740993}' }],
    reads: [
      { kind: 'value', path: '/open', value: true },
      { kind: 'object', path: '/rooms' },
    ],
  },
};

test.each([
  ['a listen', DENIAL, { operation: 'read', path: '/rooms/lobby', query: '{"orderByChild":"owner"}' }],
  ['a write', WRITE, { operation: 'write', path: '/rooms/lobby', auth: '', value: '{"n":9007199254740993}' }],
  [
    'an update',
    {
      ...WRITE,
      operation: 'merge',
      paths: ['/rooms/lobby', '/b'],
      pathCount: 2,
      values: {
        reads: [],
        writes: [
          { kind: 'node', path: '/rooms/lobby', json: '{"n":9007199254740993}' },
          { kind: 'node', path: '/b', json: 'null' },
        ],
      },
    },
    {
      operation: 'update',
      path: '/',
      value: '{"rooms/lobby": {"n":9007199254740993}, "b": null}',
      omitted: [],
    },
  ],
] as const)('[C144] %s becomes an input of the simulator', (_what, denial, question) => {
  expect(questionOf(denial)).toMatchObject(question);
});

test('[C144] a denied write becomes a test case with the values that rules read', () => {
  expect(caseOf(WRITE)).toMatchObject({
    as: null,
    write: '/rooms/lobby',
    with: { '/open': true },
    expect: 'deny',
  });
});

const CUT: WholeDenial = { ...WRITE, identity: { kind: 'user', auth: '{"uid":"bo…' } };

test.each([
  ['a write without stored values', { ...WRITE, values: null }, ['value']],
  [
    'an update of which one value is stored',
    { ...WRITE, paths: ['/rooms/lobby', '/b'], pathCount: 2 },
    ['value'],
  ],
  ['an update with more paths than are stored', { ...WRITE, pathCount: 2 }, ['value']],
  ['an operation of a user whose claims are too long', CUT, ['auth']],
] as const)(
  '[C512] %s does not become an input of the simulator, or a test case',
  (_what, denial, omitted) => {
    const form = questionOf(denial);
    expect(form.omitted).toEqual(omitted);
    expect(parseForm(form)).toEqual({ kind: 'wrong', fields: omitted });
    expect(caseOf(denial)).toBeUndefined();
  },
);
