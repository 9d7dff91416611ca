import { expect, test } from 'vitest';
import { openShop, signUp } from './members.fixture.ts';

test('[H681] the most read paths leave out what members read in the console', async () => {
  const { serving, apiKey, owner } = await openShop();
  const { token } = serving;
  const rules = { rules: { '.read': 'auth.uid !== null' } };
  await serving.ask('/.settings/rules.json?ns=shop', { token, method: 'PUT', body: rules });
  const { idToken } = await signUp(serving, 'shop', apiKey, 'ann');
  expect((await serving.ask('/seen/by/owner.json?ns=shop', { token: owner.memberToken })).status).toBe(200);
  expect((await serving.ask(`/seen/by/user.json?ns=shop&auth=${idToken}`)).status).toBe(200);
  expect((await serving.ask('/seen/by/backend.json?ns=shop', { token })).status).toBe(200);
  const { json } = await serving.ask('/api/databases/shop/hot-paths', { token: owner.memberToken });
  const paths = [json['reads']].flat().map((read) => Object(read).path);
  expect(paths.sort()).toEqual(['/seen/by/backend', '/seen/by/user']);
});
