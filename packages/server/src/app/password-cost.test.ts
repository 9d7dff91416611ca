import { expect, test } from 'vitest';
import { readServeOptions } from '../platform/serve-options.ts';
import { openShop } from './members.fixture.ts';

test('[I66] passwords are hashed with as many passes as fit into the target time', async () => {
  const { serving } = await openShop({ passwordMs: 5_000 });
  const { json } = await serving.ask('/v1/projects/shop/accounts:batchGet?maxResults=10', {
    token: serving.token,
  });
  // The account of the owner. 16 passes, the maximum, fit unless one hash of the default cost takes more than
  // 0.6 s.
  expect(json).toMatchObject({ users: [{ hashParametersId: 'argon2id-19456-16-1' }] });
});

test('[I66] the target time of serve is 50 ms unless an option sets another', () => {
  expect(readServeOptions({}, {}).passwordMs).toBe(50);
  expect(readServeOptions({ passwordMs: '120' }, {}).passwordMs).toBe(120);
});
