import { RequestError } from '@hearth/core/error/request-error.ts';
import { expect, test } from 'vitest';
import { describeFailure } from './error-response.ts';

test('[I597] a full disk is not a bug: the server is unavailable, so that clients stay signed in', () => {
  expect(describeFailure(new RequestError('store/full'))).toEqual({ kind: 'unavailable', retryAfterSec: 30 });
  expect(describeFailure(new RequestError('internal/error'))).toEqual({ kind: 'unexpected' });
});
