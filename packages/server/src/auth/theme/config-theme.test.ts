import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { createPng, dataUrl } from './png.fixture.ts';

const OWNER = { authorization: 'Bearer owner' };
const CONFIG = '/v2/projects/demo/config';

async function patch(client: AuthClient, theme: object, mask = 'hearth.theme') {
  return client.request(
    'PATCH',
    `${CONFIG}?updateMask=${mask}`,
    JSON.stringify({ hearth: { theme } }),
    OWNER,
  );
}

test('[I1590] the look of a project is set, read, copied to another project, and removed', async () => {
  const client = await AuthClient.open();
  const theme = { lightColor: '#00664A', darkColor: '#7fe3c0', cornerRadius: 0, logo: dataUrl(createPng()) };
  expect((await patch(client, theme)).status).toBe(200);
  const { json } = await client.request('GET', CONFIG, undefined, OWNER);
  expect(json['hearth']).toEqual({ theme: { ...theme, lightColor: '#00664a' } });
  const copied = await client.request(
    'PATCH',
    '/v2/projects/other/config',
    JSON.stringify({ ...json, name: 'projects/0/config' }),
    OWNER,
  );
  expect(copied.json['hearth']).toEqual(json['hearth']);
  expect((await patch(client, { logo: '' }, 'hearth.theme.logo')).json['hearth']).toEqual({
    theme: { lightColor: '#00664a', darkColor: '#7fe3c0', cornerRadius: 0 },
  });
  expect((await patch(client, {})).json).not.toHaveProperty('hearth');
});

test.each([
  [{ lightColor: 'red' }, 'hearth.theme.lightColor must be a color such as #1a73e8.'],
  [{ lightColor: '#fff;}' }, 'hearth.theme.lightColor must be a color'],
  [{ darkColor: 7 }, 'hearth.theme.darkColor must be a color'],
  [
    { lightColor: '#ffcc00' },
    'hearth.theme.lightColor must be darker: its contrast with the light page is 1.3 to 1',
  ],
  [
    { darkColor: '#003366' },
    'hearth.theme.darkColor must be lighter: its contrast with the dark page is 1.3 to 1',
  ],
  [
    { logo: 'https://example.com/logo.png' },
    'hearth.theme.logo must be a PNG image as a data: URL in base64.',
  ],
  [{ cornerRadius: 25 }, 'hearth.theme.cornerRadius must be a whole number of pixels from 0 to 24.'],
  [{ cornerRadius: -1 }, 'hearth.theme.cornerRadius must be a whole number'],
  [{ cornerRadius: 1.5 }, 'hearth.theme.cornerRadius must be a whole number'],
  [{ cornerRadius: '8px' }, 'hearth.theme.cornerRadius must be a whole number'],
  [{ logo: 1 }, 'hearth.theme.logo must be a PNG image'],
  [{ css: 'body{}' }, 'hearth.theme.css is not a setting of this server.'],
])('[I1590] the look %j is rejected', async (theme, problem) => {
  const client = await AuthClient.open();
  const { status, error } = await patch(client, theme);
  expect([status, error]).toEqual([400, expect.stringContaining(problem)]);
  expect(client.services.projects.find('demo')?.settings.theme.lightColor).toBeNull();
});
