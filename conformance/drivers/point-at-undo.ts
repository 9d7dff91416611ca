import type { Page } from 'playwright';

/** Points at the notice that offers to take something back: it goes after seconds, but not while it is pointed at. */
export async function pointAtUndo(page: Page): Promise<void> {
  const undo = page.getByRole('button', { name: 'Undo' });
  await page.getByRole('alert').filter({ has: undo }).hover();
}
