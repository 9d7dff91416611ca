import { MAX_LOGO_BYTES, MAX_LOGO_PIXELS, MIN_LOGO_PIXELS } from '@hearth/core/api/page-theme.ts';

/** The first bytes of every PNG image, up to its width and height. */
const START = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82];
/** Offset of the width in a PNG file, in bytes. The height follows. */
const WIDTH_AT = START.length;

/** Why a file cannot be a logo: it is not a PNG image, or it has too many bytes, or too few or too many pixels. */
export type LogoProblem = 'notPng' | 'tooLarge' | 'pixels';

export type LogoFile =
  | { readonly kind: 'logo'; readonly url: string }
  | { readonly kind: 'problem'; readonly problem: LogoProblem };

/**
 * Returns a file as a `data:` URL, or why it cannot be a logo. The server also checks the pixels. Rejects if the browser
 * cannot read the file.
 */
export async function readLogo(file: Blob): Promise<LogoFile> {
  if (file.size > MAX_LOGO_BYTES) return { kind: 'problem', problem: 'tooLarge' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isPng = bytes.length >= WIDTH_AT + 8 && START.every((byte, at) => bytes[at] === byte);
  if (!isPng) return { kind: 'problem', problem: 'notPng' };
  const view = new DataView(bytes.buffer);
  const isSize = [view.getUint32(WIDTH_AT), view.getUint32(WIDTH_AT + 4)].every(
    (pixels) => pixels >= MIN_LOGO_PIXELS && pixels <= MAX_LOGO_PIXELS,
  );
  if (!isSize) return { kind: 'problem', problem: 'pixels' };
  return { kind: 'logo', url: `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}` };
}
