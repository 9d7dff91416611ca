import { getContrastRatio } from '@mui/material/styles';
import { expect, test } from 'vitest';
import { consoleTheme, type Meaning, meaningColor } from './theme.ts';

/** Minimum contrast of WCAG 2, level AA. */
const LEAST_RATIO = 4.5;
const OF_TEXT: readonly Meaning[] = ['string', 'number', 'boolean', 'key', 'allow', 'deny'];
const BEHIND_TEXT: readonly Meaning[] = ['flash', 'staged'];

test.each(['light', 'dark'] as const)(
  '[C429] in the %s scheme, every text color has enough contrast on every background',
  (scheme) => {
    const theme = consoleTheme({ scheme, direction: 'ltr', density: 'comfortable' });
    const { text, background, primary, success, error, warning } = theme.palette;
    const pages = [background.default, background.paper];
    const ofData = [text.primary, text.secondary, ...OF_TEXT.map((meaning) => meaningColor(theme, meaning))];
    const pairs = [
      ...[primary, success, error, warning].map(({ main }) => ({ colors: [main], backgrounds: pages })),
      {
        colors: ofData,
        backgrounds: [...pages, ...BEHIND_TEXT.map((meaning) => meaningColor(theme, meaning))],
      },
    ];
    const unread = pairs.flatMap(({ colors, backgrounds }) =>
      colors.flatMap((color) =>
        backgrounds
          .filter((behind) => getContrastRatio(color, behind) < LEAST_RATIO)
          .map((behind) => `${color} on ${behind}`),
      ),
    );
    expect(unread).toEqual([]);
  },
);
