import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOOKS, type Look } from './camera.ts';
import { SCREENS, type Screen } from './screens.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The folder of the pictures. */
export const FOLDER = join(ROOT, 'docs/screens');

/** A page of the console in one look. */
export interface Picture {
  /** Name of the file, without its extension. */
  readonly name: string;
  readonly screen: Screen;
  readonly look: Look;
}

const PICTURES: readonly Picture[] = SCREENS.flatMap((screen) =>
  (Object.keys(LOOKS) as Look[]).map((look) => ({ name: `${screen.name}-${look}`, screen, look })),
);

/** Returns the names of the pictures that are in `docs/screens` or linked from `docs/product.md`. */
async function readDocumentedNames(): Promise<readonly string[]> {
  const [files, product] = await Promise.all([
    readdir(FOLDER),
    readFile(join(ROOT, 'docs/product.md'), 'utf8'),
  ]);
  const linked = [...product.matchAll(/\(screens\/([\w-]+)\.png\)/g)].map(([, name = '']) => name);
  const stored = files.flatMap((file) => (file.endsWith('.png') ? [file.slice(0, -'.png'.length)] : []));
  return [...new Set([...stored, ...linked])];
}

/** The pictures to take, and sentences about the pictures that cannot be taken. */
export interface Choice {
  readonly pictures: readonly Picture[];
  readonly problems: readonly string[];
}

/** Returns the pictures whose names begin with one of the prefixes; without prefixes, all pictures. */
export async function choosePictures(prefixes: readonly string[]): Promise<Choice> {
  const isChosen = (name: string) =>
    prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
  const known = new Set(PICTURES.map(({ name }) => name));
  const unknown = (await readDocumentedNames()).filter((name) => isChosen(name) && !known.has(name));
  const unused = prefixes.filter((prefix) => !PICTURES.some(({ name }) => name.startsWith(prefix)));
  return {
    pictures: PICTURES.filter(({ name }) => isChosen(name)),
    problems: [
      ...unknown.map(
        (name) => `docs/screens/${name}.png: no page has this picture. Add the page, or remove the picture.`,
      ),
      ...unused.map((prefix) => `No picture has a name that begins with ${prefix}.`),
    ],
  };
}
