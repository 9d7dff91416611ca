/** The color schemes of the pages for users. */
export type ColorScheme = 'light' | 'dark';

/** The backgrounds of the pages for users, on which the color of an app is the color of links and buttons. */
export const PAGE_BACKGROUNDS: Readonly<Record<ColorScheme, readonly string[]>> = {
  light: ['#ffffff', '#f7f2ee'],
  dark: ['#211b17', '#15110e'],
};

/** The least contrast of text that WCAG 2.2 accepts at level AA. */
export const MIN_CONTRAST = 4.5;

/** The largest radius of the corners of buttons and fields, in pixels. */
export const MAX_CORNER_RADIUS = 24;

/** Longest file of a logo, in bytes. */
export const MAX_LOGO_BYTES = 24_576;
/** Smallest and largest width and height of a logo, in pixels. */
export const MIN_LOGO_PIXELS = 16;
export const MAX_LOGO_PIXELS = 512;

/** The share of the color in the background of a link under the pointer. */
const HOVER_SHARE = 0.04;

const COLOR = /^#[0-9a-f]{6}$/i;

/** Returns whether a text is a color such as `#1a73e8`. */
export function isColor(text: string): boolean {
  return COLOR.test(text);
}

/**
 * Returns the lowest contrast that a color has as text on the backgrounds of a page, from 1 to 21. Text on an area of
 * that color has more contrast. Throws if the text is not a color.
 */
export function leastContrast(color: string, scheme: ColorScheme): number {
  const text = channelsOf(color);
  return Math.min(
    ...PAGE_BACKGROUNDS[scheme].map((background) => {
      const plain = channelsOf(background);
      const hovered = plain.map((channel, index) => channel + ((text[index] ?? 0) - channel) * HOVER_SHARE);
      return contrastOf(luminance(text), luminance(hovered));
    }),
  );
}

/** Returns red, green and blue, from 0 to 255. */
function channelsOf(color: string): readonly number[] {
  if (!isColor(color)) throw new Error(`Bug: "${color}" is not a color.`);
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** Returns the relative luminance of WCAG 2.2, from 0 to 1. */
function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
