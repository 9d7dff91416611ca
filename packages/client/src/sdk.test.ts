import type { FirebaseApp } from 'firebase/app';
import { expect, test } from 'vitest';
import { hasService } from './sdk.ts';

test.each([
  [{}],
  [{ container: {} }],
  [{ container: { getProvider: () => undefined } }],
  [{ container: { getProvider: () => ({}) } }],
])('[I193] an SDK whose apps do not show which services they have is rejected: %j', (app) => {
  expect(() => hasService(app as unknown as FirebaseApp, 'auth')).toThrow('(container)');
});
