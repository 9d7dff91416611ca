import { afterEach, expect, test } from 'vitest';
import { dismissNotice, notify, useNotices } from './notices.tsx';

function shown(): string | undefined {
  return useNotices.getState().shown?.text;
}

afterEach(() => useNotices.setState({ shown: null }));

test('[C30] a new notice replaces the previous one', () => {
  notify({ kind: 'done', text: 'first' });
  notify({ kind: 'failed', text: 'second' });
  expect(shown()).toBe('second');
});

test('[C30] dismissing an old notice keeps a newer one', () => {
  notify({ kind: 'done', text: 'first' });
  const before = useNotices.getState().shown?.id ?? 0;
  notify({ kind: 'done', text: 'second' });
  dismissNotice(before);
  expect(shown()).toBe('second');
  dismissNotice(useNotices.getState().shown?.id ?? 0);
  expect(shown()).toBeUndefined();
});
