import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openServing, temporaryDirectory } from './serving.fixture.ts';

/**
 * A data directory that `hearth serve` wrote before the source was regrouped and its identifiers were renamed.
 * The test reads nothing that expires: no emails, denials or audit entries.
 */
const EARLIER = join(import.meta.dirname, 'earlier-data');
const API_KEY = 'AHearth-4yIdy3bax-joCERN4ggw9vbVyB6DVde';
const ANN = 'LdAki7hb1CPrpC0tiMxfcA98p8S2';
const ANONYMOUS_REFRESH_TOKEN =
  'AGLGveepOTYyy_Tv8--A9VIKLsv_fwAAAACU70oQQI8_PP_botofaiGr2SqiaXPc04rwRkv4fE7E8A';
const DATABASE = 'my-app-default-rtdb';

function copyEarlierData(): string {
  const directory = temporaryDirectory();
  const data = join(directory, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'data.mdb'), gunzipSync(readFileSync(join(EARLIER, 'data.mdb.gz'))));
  for (const name of ['hearth.json', 'secret.key']) copyFileSync(join(EARLIER, name), join(data, name));
  // Git stores no file modes except the executable bit, so a checkout loses the mode of this file.
  chmodSync(join(data, 'secret.key'), 0o600);
  return directory;
}

test('[H523] a data directory of an earlier build opens with its data, projects and accounts', async () => {
  const { ask, token } = await openServing(copyEarlierData());
  const read = async (path: string) => (await ask(path, { token })).json;

  const { json: messages } = await ask(`/messages.json?ns=${DATABASE}`, { token });
  expect(Object.keys(messages)).toHaveLength(20);
  expect(messages['m7']).toEqual({ text: 'message 7', at: 1007 });
  const big = await read(`/big.json?ns=${DATABASE}`);
  expect(Object.keys(big)).toHaveLength(399);
  expect(big['k0002']).toEqual({ a: 2, b: 'x'.repeat(20) });

  expect(await read('/api/projects')).toMatchObject({ projects: [{ id: 'my-app' }] });
  expect(await read('/api/projects/my-app/keys')).toMatchObject({ keys: [{ apiKey: API_KEY }] });
  expect(await read('/api/projects/my-app/members')).toMatchObject({
    members: [{ uid: ANN, role: 'editor', email: 'ann@example.com' }],
  });
  expect(await read('/api/projects/my-app/service-accounts')).toMatchObject({
    serviceAccounts: [{ email: expect.stringContaining('backend'), isDisabled: false }],
  });
  expect(await read(`/api/databases/${DATABASE}/rules/versions`)).toMatchObject({ versions: [{ id: 1 }] });

  const { json: refreshed } = await ask(`/v1/token?key=${API_KEY}`, {
    body: { grant_type: 'refresh_token', refresh_token: ANONYMOUS_REFRESH_TOKEN },
  });
  expect(refreshed).toMatchObject({ project_id: expect.any(String), id_token: expect.any(String) });
  const { json: found } = await ask('/v1/projects/my-app/accounts:lookup', {
    token,
    body: { localId: [ANN] },
  });
  expect(found).toMatchObject({
    users: [{ localId: ANN, displayName: 'Ann', customAttributes: '{"role":"chief"}' }],
  });
});
