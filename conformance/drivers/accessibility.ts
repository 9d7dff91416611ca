import axe, { type RunOptions } from 'axe-core';
import type { Locator } from 'playwright';

/** Source text of the accessibility checker. Playwright runs the text in a page regardless of the page's policy. */
const AXE = axe.source;

/** A broken accessibility rule, and selectors of the elements that break it. */
export interface Violation {
  readonly id: string;
  readonly help: string;
  readonly at: readonly unknown[];
}

/** Returns the accessibility rules that a part of a page breaks. */
export async function findViolations(
  within: Locator,
  options: RunOptions = {},
): Promise<readonly Violation[]> {
  const page = within.page();
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) await page.evaluate(AXE);
  return within.evaluate(async (root, chosen) => {
    const { run }: typeof axe = Reflect.get(globalThis, 'axe');
    // The checker describes every element of the other types of results, which takes long on a large page.
    const { violations } = await run(root, { ...chosen, resultTypes: ['violations'], preload: false });
    return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ target }) => target) }));
  }, options);
}
