import { expect, test } from 'vitest';
import { readActionRequest } from './action-page.ts';

test('[I368] a link with an unknown API key is rejected', () => {
  const query = new URLSearchParams({ mode: 'verifyEmail', oobCode: 'c0de', apiKey: 'unknown', lang: 'de' });
  expect(readActionRequest(query, () => undefined, 'http://localhost:9000')).toEqual({
    kind: 'page',
    parameters: { page: { kind: 'rejected', reason: 'wrongProject' }, lang: 'de' },
  });
});
