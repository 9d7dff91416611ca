import { leastContrast, MIN_CONTRAST, PAGE_BACKGROUNDS } from '@hearth/core/api/page-theme.ts';
import { PALETTES } from '@hearth/pages/shell/styles.ts';
import { expect, test } from 'vitest';

test.each(['light', 'dark'] as const)(
  '[I1590] the server compares colors with the backgrounds of the %s pages, and accepts the color of Hearth',
  (scheme) => {
    const { background, primary } = PALETTES[scheme];
    expect(PAGE_BACKGROUNDS[scheme]).toEqual([background.paper, background.default]);
    expect(leastContrast(primary.main, scheme)).toBeGreaterThan(MIN_CONTRAST);
  },
);
