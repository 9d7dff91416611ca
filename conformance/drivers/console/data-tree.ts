import type { BrowserContextOptions, Locator, Page } from 'playwright';
import { buttonOf } from './page.ts';
import type { ConsoleTestBed } from './test-bed.ts';
import type { ConsoleVisitor } from './visitor.ts';

/** Returns the row of the tree, or of the table, that shows a child. */
export function rowOf(page: Page, key: string): Locator {
  return page.getByRole('row').filter({ has: page.locator(`bdi.key:text-is("${key}")`) });
}

/** Returns the sign in a child's row that says how a staged edit affects it, such as `changed`. */
export function stagedSignOf(page: Page, key: string, sign: string): Locator {
  return rowOf(page, key).getByRole('img', { name: `Staged: ${sign}` });
}

export function stagedEditsOf(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Staged edits' });
}

/** Replaces a value by typing another one in its row. */
export async function typeValue(page: Page, key: string, text: string): Promise<void> {
  await rowOf(page, key).dblclick();
  const field = page.getByRole('textbox', { name: `Value of ${key}` });
  await field.fill(text);
  await field.press('Enter');
  await field.waitFor({ state: 'detached' });
}

/** Opens a database and turns on the staging of edits. `rest` follows the name of the database in the address. */
export async function openStaged(
  testBed: ConsoleTestBed,
  database: string,
  rest = '',
  options: BrowserContextOptions = {},
): Promise<ConsoleVisitor> {
  const visitor = await testBed.visit(`/projects/demo/data/${database}${rest}`, options);
  await buttonOf(visitor.page, /^Stage edits/).click();
  return visitor;
}
