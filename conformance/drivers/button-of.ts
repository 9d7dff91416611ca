import type { Locator, Page } from 'playwright';

/** A button of a page, or of a part of it, by its whole name or by a pattern. */
export function buttonOf(scope: Page | Locator, name: string | RegExp): Locator {
  return scope.getByRole('button', { name, exact: true });
}
