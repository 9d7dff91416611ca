import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { leafNode, nodeAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { scalarJson } from '@hearth/core/tree/node-json.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reclaimStep } from './garbage.ts';
import { historyPaths, spreadNodes } from './history.arbitrary.ts';
import { everyNth, longList, object, type StoredNode, storeNode } from './stored-node.fixture.ts';
import { type SearchHit, type SearchRequest, SubtreeSearch } from './subtree-search.ts';
import { writeNode } from './write.ts';

type Found = readonly [path: string, matched: SearchHit['matched']];

const ALL: SearchRequest = {
  text: 'x',
  match: 'substring',
  scope: 'both',
  isCaseSensitive: true,
  limit: 10_000,
};

function searchAll(
  { store, tree }: StoredNode,
  path: readonly Key[],
  request: SearchRequest,
  callsPerStep = 1,
): { readonly found: readonly Found[]; readonly search: SubtreeSearch } {
  const search = new SubtreeSearch(tree, path, request);
  const isOver = everyNth(callsPerStep);
  const found: Found[] = [];
  for (;;) {
    const step = store.read((tx) => search.step(tx, isOver));
    found.push(...step.found.map(({ keys, matched }): Found => [keys.join('/'), matched]));
    if (step.isDone) return { found, search };
  }
}

/** Yields the expected results: compares every key and value with the text. */
function* naiveSearch(node: TreeNode | null, keys: readonly Key[], request: SearchRequest): Generator<Found> {
  if (node === null) return;
  if (node.kind === 'leaf') {
    const text = typeof node.value === 'string' ? node.value : scalarJson(node.value);
    if (request.scope !== 'keys' && isMatch(text, request)) yield [keys.join('/'), 'value'];
    return;
  }
  for (const [key, child] of node.children) {
    if (request.scope !== 'values' && isMatch(key, request)) yield [[...keys, key].join('/'), 'key'];
    yield* naiveSearch(child, [...keys, key], request);
  }
}

function isMatch(candidate: string, { text, match, isCaseSensitive }: SearchRequest): boolean {
  const [a, b] = isCaseSensitive ? [candidate, text] : [candidate.toLowerCase(), text.toLowerCase()];
  if (match === 'exact') return a === b;
  return match === 'prefix' ? a.startsWith(b) : a.includes(b);
}

const requests: fc.Arbitrary<SearchRequest> = fc.record({
  text: fc.constantFrom(
    'a',
    'A',
    'xa',
    'XX',
    'é',
    'É',
    'éb',
    '🔥',
    '1',
    '0',
    '.',
    '"',
    '\u0000',
    'true',
    '9007199254740993',
  ),
  match: fc.constantFrom<SearchRequest['match']>('substring', 'prefix', 'exact'),
  scope: fc.constantFrom<SearchRequest['scope']>('keys', 'values', 'both'),
  isCaseSensitive: fc.boolean(),
  limit: fc.constantFrom(1, 2, 5, 10_000),
});

test('[K155] a search finds exactly the matching keys and values, in key order and up to its limit', () => {
  fc.assert(
    fc.property(
      spreadNodes,
      historyPaths,
      requests,
      fc.integer({ min: 1, max: 5 }),
      (node, path, request, callsPerStep) => {
        const { found, search } = searchAll(storeNode(node), path, request, callsPerStep);
        const expected = [...naiveSearch(nodeAt(node, path), path, request)];
        expect(found).toEqual(expected.slice(0, request.limit));
        expect(search.hits).toBe(found.length);
        expect(search.isCut).toBe(expected.length >= request.limit);
      },
    ),
    { numRuns: 300 },
  );
});

describe('a text is matched literally', () => {
  const node = object({
    plain: leafNode('a.b*c [d] {e} (f) ^g$ |h? +i'),
    quoted: leafNode('say "hi"\\\n\u0001'),
    number: leafNode(-1.5),
    integer: leafNode(9007199254740993n),
    flag: leafNode(false),
    list: longList(3),
  });

  test.each([
    ['a.b*c [d] {e} (f) ^g$ |h? +i', ['plain']],
    ['a.b*d', []],
    ['axb', []],
    ['"hi"\\', ['quoted']],
    ['\n\u0001', ['quoted']],
    ['\\n', []],
    ['-1.5', ['number']],
    ['9007199254740993', ['integer']],
    ['false', ['flag']],
    ['text of K0001', []],
    ['text of k0001', ['list/k0001']],
  ])('[K155] %j is found at %j', (text, paths) => {
    for (const isCaseSensitive of [true, false]) {
      const { found } = searchAll(storeNode(node), [], { ...ALL, text, isCaseSensitive });
      const expected = text === 'text of K0001' && !isCaseSensitive ? ['list/k0001'] : paths;
      expect(found.map(([path]) => path)).toEqual(expected);
    }
  });
});

describe('between two steps', () => {
  const A = parseKey('a');
  const B = parseKey('b');
  const C = parseKey('c');
  const request: SearchRequest = { ...ALL, text: 'text of' };

  /** Starts a search, and pauses it after it has found `b/k0004`. */
  function begin(): StoredNode & { readonly search: SubtreeSearch } {
    const stored = storeNode(object({ a: longList(10), b: longList(10), c: longList(10) }));
    const search = new SubtreeSearch(stored.tree, [], request);
    const { found, isDone } = stored.store.read((tx) => search.step(tx, everyNth(1 + 1 + 10 + 1 + 5)));
    expect([found.length, isDone]).toEqual([15, false]);
    return { ...stored, search };
  }

  function rest({ store, search }: ReturnType<typeof begin>): readonly string[] {
    const { found, isDone } = store.read((tx) => search.step(tx, () => false));
    expect(isDone).toBe(true);
    return found.map(({ keys }) => keys.join('/'));
  }

  const keys = (parent: string, from: number): readonly string[] =>
    Array.from({ length: 10 - from }, (_, index) => `${parent}/k000${from + index}`);

  test('[K156] removed and reclaimed data is skipped', () => {
    const begun = begin();
    begun.store.transact((tx) => writeNode(tx, begun.tree, [B], null));
    begun.store.transact((tx) => reclaimStep(tx, 10_000));
    expect(rest(begun)).toEqual(keys('c', 0));
  });

  test('[K156] removed data that is not reclaimed yet is skipped too', () => {
    const begun = begin();
    begun.store.transact((tx) => writeNode(tx, begun.tree, [B], null));
    begun.store.transact((tx) => writeNode(tx, begun.tree, [C], leafNode('text of c')));
    expect(rest(begun)).toEqual(['c']);
  });

  test('[K156] in a replaced node, the search continues after the same key', () => {
    const begun = begin();
    begun.store.transact((tx) => writeNode(tx, begun.tree, [B], longList(7)));
    expect(rest(begun)).toEqual(['b/k0005', 'b/k0006', ...keys('c', 0)]);
  });

  test('[K156] data added ahead is found, and data added behind is not', () => {
    const begun = begin();
    begun.store.transact((tx) => writeNode(tx, begun.tree, [A, parseKey('z')], leafNode('text of z')));
    begun.store.transact((tx) => writeNode(tx, begun.tree, [B, parseKey('z')], leafNode('text of z')));
    expect(rest(begun)).toEqual([...keys('b', 5), 'b/z', ...keys('c', 0)]);
  });

  test('[K156] the search ends if the whole tree is removed', () => {
    const begun = begin();
    begun.store.transact((tx) => writeNode(tx, begun.tree, [], null));
    expect(rest(begun)).toEqual([]);
  });
});
