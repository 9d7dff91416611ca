import type { Page } from 'playwright';

/** Waits for what comes last when a page is loaded. Who looks sooner for what is not offered finds nothing, whatever is offered. */
export async function seeWholePage(page: Page): Promise<void> {
  const areas = page.getByRole('navigation', { name: 'Areas of the project' }).first();
  await areas.getByRole('link').first().waitFor();
}
