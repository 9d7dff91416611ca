import type { BrowserContextOptions } from 'playwright';
import { buttonOf } from './button-of.ts';
import type { ConsoleStand } from './console-stand.ts';
import type { ConsoleVisitor } from './console-visitor.ts';

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
