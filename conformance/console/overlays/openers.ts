import type { Locator, Page } from 'playwright';

/** What overlays are opened from, by its name. */
export function button(name: string | RegExp): (page: Page) => Locator {
  return (page) => page.getByRole('button', { name, exact: true });
}

export function combobox(name: string): (page: Page) => Locator {
  return (page) => page.getByRole('combobox', { name });
}
