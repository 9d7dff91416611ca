import { expect, test } from 'vitest';
import { JsonListSplitter } from './json-list-splitter.ts';

function split(
  text: string,
  length: number,
): { readonly entries: readonly string[]; readonly others: string } {
  const splitter = new JsonListSplitter({ list: 'users', maxLength: 100 });
  const entries: string[] = [];
  for (let at = 0; at < text.length; at += length)
    entries.push(...splitter.push(text.slice(at, at + length)));
  return { entries, others: splitter.others };
}

test.each([1, 2, 7, 1_000])(
  '[H341] the splitter separates a list from the other text, in chunks of %i characters',
  (length) => {
    const text = '{"a": {"users": [{}]}, "users": [ {"b":"}\\"]"} ,\n{"c":[{}]}], "d": [1]}';
    expect(split(text, length)).toEqual({
      entries: ['{"b":"}\\"]"}', '{"c":[{}]}'],
      others: '{"a": {"users": [{}]}, "users": [], "d": [1]}',
    });
  },
);

test('[H341] too much text outside the list is rejected', () => {
  expect(() => split(`{"a":"${'x'.repeat(200)}","users":[]}`, 50)).toThrow(SyntaxError);
});
