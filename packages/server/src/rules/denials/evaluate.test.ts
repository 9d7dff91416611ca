import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { NO_QUERY } from '@hearth/core/rules/evaluate/scope.ts';
import { type RuleCase, ruleCases } from '@hearth/core/rules/model/rule-case.arbitrary.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AuthorizationRequest } from '../../access/authorization-request.ts';
import { examineOperation } from '../examine-operation.ts';
import { caseRequest, readRequest, roomRules, writeRequest } from './authorization-request.fixture.ts';
import { recordDenial } from './capture.ts';
import { evaluateDenial, evaluateDraft } from './evaluate.ts';
import { decodeDenial, encodeDenial, MAX_ENTRY_BYTES } from './record.ts';

afterEach(() => vi.restoreAllMocks());

const CASES = 1_000;
const MARKER = 'SECRET';

/** Returns an entry as it is read from the store. */
function stored(request: AuthorizationRequest, keepsValues: boolean) {
  const json = encodeDenial(recordDenial(request, keepsValues));
  return { json, denial: decodeDenial(1, json) };
}

/** Returns the same case with a marker in every text of its data. */
function marked(each: RuleCase): RuleCase {
  const { operation } = each;
  if (operation.kind === 'read') return { ...each, data: markNode(each.data) };
  const writes = operation.writes.map((write) =>
    write.kind === 'node'
      ? { ...write, node: markNode(write.node) }
      : { ...write, priority: markText(write.priority) },
  );
  return { ...each, data: markNode(each.data), operation: { ...operation, writes } };
}

function markNode(node: TreeNode | null): TreeNode | null {
  if (node === null) return null;
  const priority = markText(node.priority);
  if (node.kind === 'leaf') return { ...node, priority, value: markText(node.value) };
  const children = [...node.children].map(([key, child]) => [key, markNode(child) ?? child] as const);
  return { ...node, priority, children: new Map(children) };
}

function markText<T>(value: T): T | (T & string) {
  return typeof value === 'string' ? (`${value}${MARKER}` as T & string) : value;
}

describe.each([false, true])('values stored: %s', (keepsValues) => {
  test('[R163][R170] every stored denial is denied when it is evaluated again', () => {
    let denied = 0;
    fc.assert(
      fc.property(ruleCases, (each) => {
        const request = caseRequest(each);
        if (examineOperation(request.rules, request.operation).isAllowed) return;
        denied++;
        const { denial, json } = stored(request, keepsValues);
        expect(json.length).toBeLessThanOrEqual(MAX_ENTRY_BYTES);
        const { isAllowed, basis, missing, rules } = evaluateDenial(denial);
        expect({ isAllowed, basis, missing }).toEqual({
          isAllowed: false,
          basis: keepsValues ? 'values' : 'outcomes',
          missing: [],
        });
        // Compared as JSON, which has no NaN.
        expect(JSON.stringify(rules)).toBe(JSON.stringify(denial.rules));
      }),
      { numRuns: CASES },
    );
    expect(denied).toBeGreaterThan(CASES / 4);
  });
});

test('[R164] an entry without values contains no text of data', () => {
  let texts = 0;
  fc.assert(
    fc.property(ruleCases, (each) => {
      const request = caseRequest(marked(each));
      if (examineOperation(request.rules, request.operation).isAllowed) return;
      expect(stored(request, false).json.toString()).not.toContain(MARKER);
      if (stored(request, true).json.includes(MARKER)) texts++;
    }),
    { numRuns: CASES },
  );
  // The rules of these cases do read texts, so the check above has something to find.
  expect(texts).toBeGreaterThan(CASES / 20);
});

test('[R171] other rules decide a stored operation with values as they decide the operation itself', () => {
  fc.assert(
    fc.property(ruleCases, ruleCases, (each, other) => {
      const request = caseRequest(each);
      if (examineOperation(request.rules, request.operation).isAllowed) return;
      const draft = parseRules(other.rules);
      const { isAllowed, missing } = evaluateDraft(stored(request, true).denial, draft);
      const live = examineOperation(draft, request.operation).isAllowed;
      if (missing.length === 0) expect(isAllowed).toBe(live);
    }),
    { numRuns: CASES },
  );
});

const ROOM = roomRules({
  '.write': "auth != null && root.child('rooms').child($id).child('owner').val() == auth.uid",
  title: { '.validate': "newData.isString() && newData.val().length < 10 && newData.val() != 'admin'" },
});

test('[R162][R164] an entry names the deciding rule and shows kinds and lengths instead of values', () => {
  const request = writeRequest(ROOM, { '/rooms/r1/title': '"x"' }, '{"rooms":{"r1":{"owner":"alice"}}}');
  const { denial } = stored(request, false);
  expect(denial).toMatchObject({
    operation: 'put',
    paths: ['/rooms/r1/title'],
    pathCount: 1,
    identity: { kind: 'user', auth: { uid: 'u1' } },
    query: null,
    deciding: 0,
    cut: 'nothing',
    values: null,
  });
  const [rule] = denial.rules;
  expect(rule).toMatchObject({ kind: 'write', location: '/rooms/$id', place: '/rooms/r1', holds: false });
  expect(rule?.text).toBe("auth != null && root.child('rooms').child($id).child('owner').val() == auth.uid");
  const comparison = rule?.step.steps[1];
  expect(comparison?.value).toEqual({ kind: 'scalar', value: false });
  expect(comparison?.steps.map(({ value }) => value)).toEqual([
    { kind: 'redacted', of: 'string', length: 5 },
    { kind: 'scalar', value: 'u1' },
  ]);
});

test('[R164] a path that was derived from data is not shown', () => {
  const rules = roomRules({ '.read': "root.child(data.child('owner').val()).exists()" });
  const { denial } = stored(readRequest(rules, '/rooms/r1', '{"rooms":{"r1":{"owner":"alice"}}}'), false);
  expect(denial.rules[0]?.step.steps[0]?.value).toEqual({ kind: 'redacted', of: 'snapshot', tree: 'before' });
});

test('[R162] the deciding rule of an invalid write is the .validate, and the entry also has the rule that granted the write', () => {
  const data = '{"rooms":{"r1":{"owner":"u1"}}}';
  const { denial } = stored(writeRequest(ROOM, { '/rooms/r1/title': '"far too long"' }, data), false);
  expect(denial.rules.map(({ kind, location, holds }) => [kind, location, holds])).toEqual([
    ['write', '/rooms/$id', true],
    ['validate', '/rooms/$id/title', false],
  ]);
  expect(denial.deciding).toBe(1);
});

test('[R162] if no rule could grant the operation, there is no deciding rule', () => {
  const { denial } = stored(readRequest('{"rules":{}}', '/rooms/r1'), false);
  expect(denial).toMatchObject({ deciding: null, rules: [] });
  expect(evaluateDenial(denial).isAllowed).toBe(false);
});

test('[R163] an evaluation by outcomes evaluates claims and wildcards again', () => {
  const { denial } = stored(writeRequest(ROOM, { '/rooms/r1/title': '"x"' }, 'null', null), false);
  expect(evaluateDenial(denial).isAllowed).toBe(false);
  const forged = { ...denial, identity: { kind: 'user', auth: { uid: 'u1' } } as const };
  // A condition that was never evaluated has no outcome, and therefore grants nothing.
  expect(evaluateDenial(forged).isAllowed).toBe(false);
});

test('[R171] a draft is evaluated on the stored values, and paths that the original evaluation did not read are reported', () => {
  const request = readRequest(roomRules({ '.read': "data.child('isOpen').val() == true" }), '/rooms/r1');
  const { denial } = stored(request, true);
  const draft = parseRules(roomRules({ '.read': "data.child('isOpen').val() == null" }));
  expect(evaluateDraft(denial, draft)).toMatchObject({ isAllowed: true, missing: [], basis: 'values' });
  const curious = parseRules(roomRules({ '.read': "data.child('other').exists()" }));
  expect(evaluateDraft(denial, curious)).toMatchObject({ isAllowed: false, missing: ['/rooms/r1/other'] });
  expect(() => evaluateDraft(stored(request, false).denial, draft)).toThrow('Set keepValues');
});

const LONG = 'é'.repeat(700);

describe('[R165] entries that would be too long', () => {
  const cases: readonly (readonly [string, string, AuthorizationRequest, boolean])[] = [
    [
      'a long value',
      'values',
      writeRequest(ROOM, { '/rooms/r1/text': JSON.stringify('x'.repeat(20_000)) }),
      true,
    ],
    [
      'too many values',
      'values',
      writeRequest(ROOM, {
        '/rooms/r1': JSON.stringify(
          Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i])),
        ),
      }),
      true,
    ],
    [
      'long texts that were read',
      'values',
      readRequest(
        roomRules({ '.read': "data.child('text').val() == auth.uid" }),
        '/rooms/r1',
        `{"rooms":{"r1":{"text":${JSON.stringify('x'.repeat(100_000))}}}}`,
      ),
      true,
    ],
    [
      'long claims',
      'all-but-verdict',
      readRequest(ROOM, '/rooms/r1', 'null', { uid: 'u1', token: { text: 'x'.repeat(20_000) } }),
      false,
    ],
    [
      'a long path',
      'all-but-verdict',
      readRequest(
        roomRules({ '.read': false }),
        `/rooms/${Array.from({ length: 30 }, () => LONG.slice(0, 380)).join('/')}`,
      ),
      false,
    ],
    [
      'conditions that contain claims',
      'details',
      readRequest(
        roomRules({ '.read': Array.from({ length: 20 }, (_, i) => `auth.token == ${i}`).join(' || ') }),
        '/rooms/r1',
        'null',
        { uid: 'u1', token: { text: 'x'.repeat(700) } },
      ),
      false,
    ],
    [
      'a long rule',
      'all-but-verdict',
      readRequest(
        roomRules({ '.read': Array.from({ length: 400 }, (_, i) => `auth.x${i} == ${i}`).join(' || ') }),
        '/rooms/r1',
      ),
      false,
    ],
  ];
  test.each(cases)('an entry with %s is cut to the level %s', (_name, cut, request, keepsValues) => {
    const { denial, json } = stored(request, keepsValues);
    expect(json.length).toBeLessThanOrEqual(MAX_ENTRY_BYTES);
    expect(denial.cut).toBe(cut);
    expect(evaluateDenial(denial).isAllowed).toBe(false);
  });
});

test('[R164][R243] a number of data that is not finite is not shown', () => {
  const rules = roomRules({ '.read': "data.child('n').val() * 1e308 * 10 < 1" });
  const { denial } = stored(readRequest(rules, '/rooms/r1', '{"rooms":{"r1":{"n":1}}}'), false);
  expect(denial.rules[0]?.step.steps[0]?.value).toEqual({ kind: 'redacted', of: 'number' });
});

test('[R165][R242] of a long stored value, the trace has the start and the length', () => {
  const rules = roomRules({ '.read': "data.child('text').val() == ''" });
  const data = JSON.stringify({ rooms: { r1: { text: 'x'.repeat(1_500) } } });
  const { denial } = stored(readRequest(rules, '/rooms/r1', data), true);
  expect(denial.rules[0]?.step.steps[0]?.value).toEqual({
    kind: 'cut',
    of: 'string',
    start: 'x'.repeat(1_000),
    length: 1_500,
  });
});

const MANY = 1_000_000;

/** Returns the number of UTF-16 code units that `run` serializes as JSON. */
function unitsPrinted(run: () => void): number {
  const print = vi.spyOn(JSON, 'stringify');
  run();
  const units = print.mock.results.map(({ value }) => (typeof value === 'string' ? value.length : 0));
  print.mockRestore();
  return units.reduce((sum, length) => sum + length, 0);
}

describe('[R300] the cost of a long text', () => {
  const claims = { uid: 'u1', token: { text: 'h'.repeat(MANY) } };
  const long = readRequest(
    roomRules({ '.read': "auth.token == 1 || query.startAt == 'a' || query.startAt == 'b'" }),
    '/rooms/r1',
  );
  const query = { ...NO_QUERY, orderByChild: 'f', startAt: 'y'.repeat(MANY), endAt: 'z'.repeat(MANY) };
  const deep = `/rooms/${Array.from({ length: 30 }, () => 'k'.repeat(768)).join('/')}`;
  const cases: readonly (readonly [string, AuthorizationRequest])[] = [
    ['a query', { ...long, operation: readWith(long, query) }],
    ['a path', readRequest(ROOM, deep, 'null', null)],
    [
      'an update',
      writeRequest(ROOM, Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${deep}/${i}`, '1']))),
    ],
    ['claims', readRequest(ROOM, '/rooms/r1', 'null', claims)],
  ];
  test.each(cases)('the long text in %s is not serialized', (_name, request) => {
    // Claims are serialized once, however many denials have them.
    stored(request, false);
    let bytes = 0;
    const units = unitsPrinted(() => {
      bytes = encodeDenial(recordDenial(request, false)).length;
    });
    expect(bytes).toBeLessThanOrEqual(MAX_ENTRY_BYTES);
    expect(units).toBeLessThan(4 * MAX_ENTRY_BYTES);
  });

  function readWith(
    { operation }: AuthorizationRequest,
    of: typeof NO_QUERY,
  ): AuthorizationRequest['operation'] {
    return operation.kind === 'read' ? { kind: 'read', read: { ...operation.read, query: of } } : operation;
  }
});
