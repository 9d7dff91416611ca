import { readFiles } from './repository.ts';

/** Maps every English text of the console to its names, such as `accounts:error.EMAIL_EXISTS`. */
export const ENGLISH_TEXTS: ReadonlyMap<string, readonly string[]> = readTexts();

function readTexts(): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  const FILE = /^packages\/console\/src\/language\/messages\/en\/([\w-]+)\.json$/;
  for (const { path, text } of readFiles((one) => FILE.test(one)))
    for (const [name, value] of flatten(JSON.parse(text), `${FILE.exec(path)?.[1]}:`)) {
      const names = texts.get(value) ?? [];
      texts.set(value, [...names, name]);
    }
  return texts;
}

function flatten(json: object, prefix: string): readonly (readonly [string, string])[] {
  return Object.entries(json).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[`${prefix}${name}`, value] as const]
      : flatten(Object(value), `${prefix}${name}.`),
  );
}
