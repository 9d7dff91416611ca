import type { Locator, Page } from 'playwright';

/** Returns a function that finds a button by its name. */
export function button(name: string | RegExp): (page: Page) => Locator {
  return (page) => page.getByRole('button', { name, exact: true });
}

export function combobox(name: string): (page: Page) => Locator {
  return (page) => page.getByRole('combobox', { name });
}
