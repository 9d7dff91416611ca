import { createTheme, ThemeProvider } from '@mui/material/styles';
import { decodeQR } from 'qr/decode.js';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { QrCode } from './qr-code.tsx';

const LINK =
  'otpauth://totp/Hearth%20hats:somebody%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Hearth%20hats&algorithm=SHA1&digits=6&period=30';

/** Width and height of the rendered code, as on the page. */
const SIDE_PX = 216;

/** Renders a code, and waits until it is on the page. */
async function show(text: string, mode: 'light' | 'dark'): Promise<SVGElement> {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  root.render(
    <ThemeProvider theme={createTheme({ palette: { mode } })}>
      <QrCode text={text} label="A code" />
    </ThemeProvider>,
  );
  await expect.poll(() => container.querySelector('svg')).not.toBeNull();
  const svg = container.querySelector('svg');
  if (svg === null) throw new Error('The QR code was not rendered.');
  return svg;
}

/** Returns the pixels of the code, as a camera would see them. */
async function pixelsOf(svg: SVGElement): Promise<ImageData> {
  const copy = svg.cloneNode(true);
  if (!(copy instanceof SVGElement)) throw new Error('Expected an SVG element.');
  for (const [name, value] of [
    ['xmlns', 'http://www.w3.org/2000/svg'],
    ['width', String(SIDE_PX)],
    ['height', String(SIDE_PX)],
  ] as const)
    copy.setAttribute(name, value);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(copy.outerHTML)}`;
  await image.decode();
  const canvas = new OffscreenCanvas(SIDE_PX, SIDE_PX);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The canvas has no 2D context.');
  context.drawImage(image, 0, 0, SIDE_PX, SIDE_PX);
  return context.getImageData(0, 0, SIDE_PX, SIDE_PX);
}

test.each(['light', 'dark'] as const)('[C370] the QR code contains the link in %s mode', async (mode) => {
  const svg = await show(LINK, mode);
  expect(svg.getAttribute('aria-label')).toBe('A code');
  const { data, width, height } = await pixelsOf(svg);
  expect(decodeQR({ data, width, height })).toBe(LINK);
});

test('[C370] a margin of four squares on each side is light', async () => {
  const svg = await show(LINK, 'dark');
  const side = Number(svg.getAttribute('viewBox')?.split(' ')[2]);
  const { data, width } = await pixelsOf(svg);
  const lightAt = (x: number, y: number): boolean => data[4 * (y * width + x)] === 255;
  const quietPx = Math.floor((4 * SIDE_PX) / side) - 1;
  for (let along = 0; along < SIDE_PX; along++)
    for (let depth = 0; depth < quietPx; depth++)
      expect([
        lightAt(along, depth),
        lightAt(depth, along),
        lightAt(along, SIDE_PX - 1 - depth),
        lightAt(SIDE_PX - 1 - depth, along),
      ]).not.toContain(false);
});
