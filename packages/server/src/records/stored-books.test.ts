import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryBooks } from './memory-records.fixture.ts';
import { decodeBookKey, encodeBookKey } from './view.ts';

test('[I1] a change writes to several books at once, and what it throws leaves none of it', async () => {
  const books = memoryBooks();
  const result = await books.change((turn) => {
    turn.book('a').write(['x', 'y'], { n: 1, s: 'text', b: false });
    turn.book('b').write(['z'], 5);
    return 'done';
  });
  expect(result).toBe('done');
  const failure = new Error('no');
  await expect(
    books.change((turn) => {
      turn.book('a').write(['x'], null);
      throw failure;
    }),
  ).rejects.toBe(failure);
  expect(books.read((view) => [view.book('a').find(['x', 'y']), view.book('b').find(['z'])])).toEqual([
    { n: 1, s: 'text', b: false },
    5,
  ]);
  expect(books.read((view) => view.book('a').find(['nothing']))).toBeUndefined();
  expect(books.read((view) => view.book('none').find(['x']))).toBeUndefined();
});

test('[I1] a change sees what was before it, and later ones of the same moment what it wrote', async () => {
  const books = memoryBooks();
  const seen = await Promise.all(
    [1, 2, 3].map((n) =>
      books.change((turn) => {
        const book = turn.book('a');
        book.write(['n'], n);
        return book.find(['n']);
      }),
    ),
  );
  expect(seen).toEqual([undefined, 1, 2]);
});

test('[I1] writes of a place and of one above it are a bug', async () => {
  const books = memoryBooks();
  const change = books.change((turn) => {
    turn.book('a').write(['x', 'y'], 1);
    turn.book('a').write(['x'], 1);
  });
  await expect(change).rejects.toThrow('Bug');
  expect(books.read((view) => view.book('a').find(['x']))).toBeUndefined();
});

test('[I2] any text names a record', async () => {
  const books = memoryBooks();
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }), async (text) => {
      fc.pre(text.isWellFormed());
      expect(decodeBookKey(encodeBookKey(text))).toBe(text);
      await books.change((turn) => turn.book('a').write(['k', text], text));
      expect(books.read((view) => view.book('a').find(['k', text]))).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test('[I2] records come in order, from any side, and by prefix', async () => {
  const books = memoryBooks();
  const names = ['a.b@x', 'a.c@x', 'ab@x', 'b@x', '1@x', '12@x'];
  await books.change((turn) => {
    for (const name of names) turn.book('a').write(['e', name], true);
  });
  const list = (range: object): readonly string[] =>
    books.read((view) =>
      view
        .book('a')
        .list(['e'], { limit: 10, ...range })
        .map(({ key }) => key),
    );
  expect(list({})).toEqual(['12@x', '1@x', 'a.b@x', 'a.c@x', 'ab@x', 'b@x']);
  expect(list({ prefix: 'a.' })).toEqual(['a.b@x', 'a.c@x']);
  expect(list({ prefix: '1' })).toEqual(['12@x', '1@x']);
  expect(list({ after: 'a.b@x', before: 'b@x' })).toEqual(['a.c@x', 'ab@x']);
  expect(list({ isReversed: true, limit: 2 })).toEqual(['b@x', 'ab@x']);
  expect(list({ from: 'ab@x', limit: 1 })).toEqual(['ab@x']);
});

test('[I2] nothing is at a place that no record can have', async () => {
  const books = memoryBooks();
  await books.change((turn) => turn.book('a').write(['k', 'x'], 1));
  for (const name of ['', 'x'.repeat(769), '.'.repeat(257)])
    books.read((view) => {
      const book = view.book('a');
      expect(book.find(['k', name])).toBeUndefined();
      expect(book.list(['k', name], { limit: 1 })).toEqual([]);
      expect(book.listKeys(['k'], { prefix: name, limit: 1 })).toEqual(name === '' ? ['x'] : []);
    });
  for (const name of ['x'.repeat(768), '.'.repeat(256)]) {
    await books.change((turn) => turn.book('a').write(['k', name], 1));
    expect(books.read((view) => view.book('a').find(['k', name]))).toBe(1);
  }
});
