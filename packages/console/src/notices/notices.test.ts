import { afterEach, expect, test } from 'vitest';
import { dismissNotice, tell, useNotices } from './notices.ts';

function waiting(): readonly string[] {
  return useNotices.getState().waiting.map(({ text }) => text);
}

afterEach(() => useNotices.setState({ waiting: [] }));

test('[C30] notices wait for each other', () => {
  tell({ kind: 'done', text: 'first' });
  tell({ kind: 'failed', text: 'second' });
  const [shown] = useNotices.getState().waiting;
  dismissNotice(shown?.id ?? 0);
  expect(waiting()).toEqual(['second']);
});

test('[C30] when too many wait, the oldest that is not shown goes unseen', () => {
  for (const number of Array.from({ length: 10 }).keys()) tell({ kind: 'done', text: String(number) });
  expect(waiting()).toEqual(['0', '5', '6', '7', '8', '9']);
});
