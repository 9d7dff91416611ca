import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPng } from '../../auth/theme/png.fixture.ts';
import { PROCESS_LIMIT_MS } from '../program.fixture.ts';
import { openShop } from './shop.fixture.ts';

test(
  '[I1594] the name, the colors, the corners and the logo of a project are set and shown',
  async () => {
    const { directory, run } = await openShop();
    const logo = join(directory, 'logo.png');
    await writeFile(logo, createPng());
    const shown = (color: string, corners = 'those of Hearth') => ({
      code: 0,
      output: `Name         Tea Shop\nLight color  ${color}\nDark color   that of Hearth\nCorners      ${corners}\nLogo         ${createPng().length} bytes\n`,
    });
    expect(
      await run('look', 'shop', '--name', 'Tea Shop', '--light-color', '#006644', '--logo', logo),
    ).toEqual(shown('#006644'));
    expect(await run('look', 'shop', '--light-color', '')).toEqual(shown('that of Hearth'));
    expect(await run('look', 'shop', '--corner-radius', '0')).toEqual(shown('that of Hearth', '0 pixels'));
    expect((await run('look', 'shop', '--corner-radius', '25')).output).toContain('from 0 to 24');
    expect(await run('look', 'shop', '--corner-radius', '')).toEqual(shown('that of Hearth'));
    const wrong = await run('look', 'shop', '--dark-color', '#000000');
    expect(wrong.code).not.toBe(0);
    expect(wrong.output).toContain('hearth.theme.darkColor must be lighter');
    const missing = await run('look', 'shop', '--logo', join(directory, 'none.png'));
    expect(missing.output).toContain('none.png cannot be read.');
  },
  PROCESS_LIMIT_MS,
);
