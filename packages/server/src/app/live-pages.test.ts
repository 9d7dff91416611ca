import { expect, test } from 'vitest';
import { makeMember, makeProject } from './members.fixture.ts';
import { openServing } from './serving.fixture.ts';

test('[H426] the streams of a member end when the member is removed; the streams of other members continue', async () => {
  const serving = await openServing();
  const apiKey = await makeProject(serving, 'shop');
  const owner = await makeMember(serving, 'shop', apiKey, 'owner');
  const viewer = await makeMember(serving, 'shop', apiKey, 'viewer');
  const open = async (target: string, token: string): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    return fetch(`${serving.app.url}/api/databases/shop/${target}`, { headers });
  };
  const streams = [await open('children', viewer.memberToken), await open('activity', viewer.memberToken)];
  const other = await open('children', owner.memberToken);
  const path = `/api/projects/shop/members/${viewer.uid}`;
  await serving.ask(path, { token: owner.memberToken, method: 'DELETE' });
  for (const stream of streams)
    expect(await stream.text()).toMatch(/^event: (?:page|history)\n(?:.*\n)*event: auth_revoked\n/);
  await serving.ask('/.json?ns=shop', { token: owner.memberToken, method: 'PUT', body: { a: 1 } });
  const reader = other.body?.getReader();
  let text = '';
  while (!text.includes('"changed":["a"]'))
    text += Buffer.from((await reader?.read())?.value ?? '!').toString();
  expect(text).not.toContain('revoked');
  await reader?.cancel();
});
