import { expect, onTestFinished, test } from 'vitest';
import { hideCode } from './parameters.ts';

test('[I162] only the code is removed from the address, without a new history entry', () => {
  const before = location.href;
  onTestFinished(() => history.replaceState(null, '', before));
  history.replaceState(null, '', '?mode=verifyEmail&oobCode=secret&lang=de#end');
  const { length } = history;
  hideCode();
  expect(location.search + location.hash).toBe('?mode=verifyEmail&lang=de#end');
  expect(history.length).toBe(length);
});
