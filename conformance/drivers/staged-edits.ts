import type { BrowserContextOptions, Locator, Page } from 'playwright';
import type { ConsoleStand } from './console-stand.ts';
import type { ConsoleVisitor } from './console-visitor.ts';

/** A button by its whole name, or by a part of it. */
export function buttonOf(page: Page, name: string | RegExp): Locator {
  return page.getByRole('button', { name, exact: typeof name === 'string' });
}

/** Opens a database with edits staged from the beginning; `rest` is what follows its name in the address. */
export async function openStaged(
  stand: ConsoleStand,
  database: string,
  rest = '',
  options: BrowserContextOptions = {},
): Promise<ConsoleVisitor> {
  const visitor = await stand.visit(`/projects/demo/data/${database}${rest}`, options);
  await buttonOf(visitor.page, /^Stage edits/).click();
  return visitor;
}
