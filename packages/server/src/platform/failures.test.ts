import { RequestError } from '@hearth/core/error/request-error.ts';
import { expect, test } from 'vitest';
import { explainStoreFailure, StartFailure } from './failures.ts';

const damaged = Object.assign(new Error('MDB_PAGE_NOTFOUND: Requested page not found\n'), { code: -30_797 });

test.each([
  [
    'an error of the store',
    damaged,
    /^The data file in \/data cannot be read: MDB_PAGE_NOTFOUND.* hearth doctor/,
  ],
  [
    'an error of the store in a request',
    new RequestError('internal/error', undefined, { cause: damaged }),
    /^The data file in \/data cannot be read: MDB_PAGE_NOTFOUND.* hearth doctor --data \/data$/,
  ],
  [
    'a full disk',
    new RequestError('store/full'),
    /^The data in \/data cannot be used\. The disk .* is full\./,
  ],
  [
    'a failing disk',
    new RequestError('store/failing'),
    /^The data in \/data cannot be used\. The disk .* errors/,
  ],
])('[H55] %s at the start is explained in one sentence', (_name, error, text) => {
  const explained = explainStoreFailure(error, '/data');
  expect(explained).toBeInstanceOf(StartFailure);
  expect(explained).toMatchObject({ message: expect.stringMatching(text) });
});

test('[H55] any other error at the start is passed on unchanged', () => {
  const bug = new Error('a bug');
  expect(explainStoreFailure(bug, '/data')).toBe(bug);
});
