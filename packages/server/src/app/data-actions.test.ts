import { expect, test } from 'vitest';
import { openShop } from './members.fixture.ts';

test('[I1560] in serve mode the audit log names the member, the service account or the operator, and the project', async () => {
  const { serving, owner, make } = await openShop();
  const { ask, token } = serving;
  const viewer = await make('viewer');
  const database = 'shop-default-rtdb';
  const bearer = { authorization: `Bearer ${owner.memberToken}` };
  const send = (method: string, query = '', headers: Readonly<Record<string, string>> = bearer) =>
    fetch(`${serving.app.url}/a.json?ns=${database}${query}`, {
      method,
      headers,
      ...(method === 'PUT' ? { body: '1' } : {}),
    });
  const exportAs = async (value: string): Promise<void> => {
    const answer = await send('GET', '&format=export', { authorization: `Bearer ${value}` });
    expect(answer.status).toBe(200);
    await answer.text();
  };
  await send('PUT');
  await send('DELETE');
  await exportAs(viewer.memberToken);
  await exportAs(token);
  // The export of data that an anonymous client may read is not an export by the member.
  const anonymous = await send('GET', '&format=export&auth_variable_override=null', {
    authorization: `Bearer ${viewer.memberToken}`,
  });
  await anonymous.text();
  const { json } = await ask('/api/projects/shop/audit?series=administration&limit=500', {
    token: owner.memberToken,
  });
  const entries = json['entries'] as readonly { event: string; actor: string; subject?: unknown }[];
  const actions = entries.flatMap(({ event, actor, subject }) =>
    subject === undefined ? [] : [[event, actor, subject]],
  );
  expect(actions).toEqual([
    ['data_exported', 'local-admin', { database, path: '/a', bytes: 4 }],
    ['data_exported', viewer.email, { database, path: '/a', bytes: 4 }],
    ['data_deleted', owner.email, { database, path: '/a', count: 1 }],
  ]);
});
