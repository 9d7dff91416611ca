import { expect, test } from 'vitest';
import { readServeOptions } from '../platform/serve-options.ts';
import { openShop } from './members.fixture.ts';

test('[I66] passwords are hashed with as many passes as fit into the time that serve is told', async () => {
  const { serving } = await openShop({ passwordMs: 5_000 });
  const { json } = await serving.ask('/v1/projects/shop/accounts:batchGet?maxResults=10', {
    token: serving.token,
  });
  // The owner's. All that there may be fit, unless one hash of the default cost takes 0.6 s.
  expect(json).toMatchObject({ users: [{ hashParametersId: 'argon2id-19456-16-1' }] });
});

test('[I66] serve aims at 50 ms unless it is told otherwise', () => {
  expect(readServeOptions({}, {}).passwordMs).toBe(50);
  expect(readServeOptions({ passwordMs: '120' }, {}).passwordMs).toBe(120);
});
