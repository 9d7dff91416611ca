import { expect, test } from 'vitest';
import { constantValue } from './constant-value.ts';
import { codesIn, findRows, quotesIn } from './document-table.ts';
import { ENGLISH_TEXTS } from './english-texts.ts';
import { declarationsOf } from './module-declarations.ts';
import { isTestSupport, readFiles, readText } from './repository.ts';
import { kindNames } from './type-shape.ts';

const PRODUCT = 'docs/product.md';
const CONSOLE = 'packages/console/src';
const SIGN_IN = `${CONSOLE}/api/auth.ts`;
const rows = findRows({ path: PRODUCT, text: readText(PRODUCT) }).filter(
  ({ heading }) => heading === 'Errors',
);
const requestErrors = keysOf('packages/core/src/error/request-error.ts', 'REQUEST_ERRORS');
const authErrors = keysOf('packages/server/src/auth/errors.ts', 'AUTH_ERRORS');

function keysOf(path: string, name: string): readonly string[] {
  return Object.keys(Object(constantValue(declarationsOf(path), name)));
}

/** Returns the rows that have both columns, by the first code in the column `key`. */
function rowsWith(column: string, key: string): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const found = rows.filter(({ cells }) => column in cells && key in cells);
  return new Map(found.map(({ cells }) => [codesIn(cells[key] ?? '')[0] ?? '', cells]));
}

/** Returns the names of the text that a row quotes. */
function namesOf(cells: Readonly<Record<string, string>>): readonly string[] {
  return quotesIn(cells['message'] ?? '').flatMap((quote) => ENGLISH_TEXTS.get(quote) ?? []);
}

test('[P37] every sign-in problem is documented with its codes and its sentence', () => {
  const documented = rowsWith('problem', 'problem');
  expect([...documented.keys()]).toEqual(kindNames(declarationsOf(SIGN_IN), 'SignInProblem'));
  const byCode = [...documented].flatMap(([problem, cells]) =>
    codesIn(cells['codes'] ?? '').map((code) => [code, problem]),
  );
  expect(Object.fromEntries(byCode)).toEqual(constantValue(declarationsOf(SIGN_IN), 'PROBLEMS'));
  for (const [problem, cells] of documented)
    expect(namesOf(cells)).toEqual([`member-sign-in:problems.${problem}`]);
});

test('[P37] every error about accounts that the console explains is documented with its sentence', () => {
  const documented = rowsWith('message', 'code');
  const known = constantValue(declarationsOf(`${CONSOLE}/features/accounts/use-accounts.ts`), 'KNOWN');
  expect([...documented.keys()]).toEqual(known);
  expect(authErrors).toEqual(expect.arrayContaining([...documented.keys()]));
  for (const [code, cells] of documented) expect(namesOf(cells)).toEqual([`accounts:error.${code}`]);
});

test('[P37] the codes that the console handles are documented, and no others', () => {
  const files = readFiles((path) => path.startsWith(CONSOLE) && /\.tsx?$/.test(path) && !isTestSupport(path));
  const used = requestErrors.filter((code) => files.some(({ text }) => text.includes(`'${code}'`)));
  expect(new Set(rowsWith('what the console does', 'code').keys())).toEqual(new Set(used));
});

test('[P37] the headings of failures are documented', () => {
  const headings = rows.flatMap(({ cells }) => quotesIn(cells['heading'] ?? ''));
  expect(headings.flatMap((heading) => ENGLISH_TEXTS.get(heading) ?? [])).toEqual([
    'shell:failure.forbidden',
    'shell:failure.offline',
    'shell:failure.incomplete',
    'shell:failure.other',
    'shell:errorPage.stale',
  ]);
});

test('[P37] documents name only existing codes', () => {
  const families = new Set(requestErrors.map((code) => code.split('/', 1).join('')));
  const named = ['docs/product.md', 'docs/reference/limits.md', 'docs/reference/entities.md'].flatMap(
    (path) => codesIn(readText(path)),
  );
  const ofWire = named.filter(
    (code) => /^[a-z-]+\/[a-z-]+$/.test(code) && families.has(code.split('/', 1).join('')),
  );
  const ofSdk = Object.keys(Object(constantValue(declarationsOf(SIGN_IN), 'PROBLEMS')));
  expect(ofWire.filter((code) => !requestErrors.includes(code) && !ofSdk.includes(code))).toEqual([]);
  const CAPITALS = /^[A-Z]+(?:_[A-Z]+)+$/;
  const others = otherNamesInCapitals();
  expect(
    named.filter((code) => CAPITALS.test(code) && !authErrors.includes(code) && !others.has(code)),
  ).toEqual([]);
});

/** Returns the names in capitals, other than error codes, that the documents contain. */
function otherNamesInCapitals(): ReadonlySet<string> {
  const purposes = 'packages/server/src/auth/codes/code.ts';
  return new Set([...keysOf(purposes, 'LIFETIMES_MS'), 'CUSTOM_SMTP']);
}
