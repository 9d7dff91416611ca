import { expect, test } from 'vitest';
import { loadTexts as loadActionTexts } from '../action/texts.ts';
import { loadMessages as loadHandlerTexts } from '../handler/messages/load.ts';
import { LANGUAGES } from '../shell/document.ts';
import { loadMessages as loadAccountTexts } from './account/messages/load.ts';
import { loadMessages as loadHostedTexts } from './messages/load.ts';

/** Lists all texts with their names; functions are called with 3. */
function listTexts(value: unknown, name = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value === 'function') return [[name, String(value(3))]];
  return Object.entries(Object(value)).flatMap(([key, inner]) => listTexts(inner, `${name}.${key}`));
}

/** Words that are the same in two languages. */
const SAME = /^(Account|Code|Conta|Compte|Name|Passkeys)$/;

const PAGES = [
  ['action', loadActionTexts, 60],
  ['handler', loadHandlerTexts, 20],
  ['hosted', loadHostedTexts, 20],
  ['account', loadAccountTexts, 20],
] as const;

const OTHERS = LANGUAGES.filter((language) => language !== 'en');

test.each(PAGES.flatMap((page) => OTHERS.map((language) => [page[0], language, page[1], page[2]] as const)))(
  '[I170][I845][I1506] every text of the %s page exists in %s, and none is still in English',
  async (_page, language, loadMessages, least) => {
    const texts = new Map(listTexts(await loadMessages(language)));
    const english = listTexts(await loadMessages('en'));
    expect(english.length).toBeGreaterThan(least);
    expect([...texts.keys()]).toEqual(expect.arrayContaining(english.map(([name]) => name)));
    expect([...texts.values()].filter((text) => text.trim() === '')).toEqual([]);
    expect(english.filter(([name, text]) => texts.get(name) === text && !SAME.test(text))).toEqual([]);
  },
);
