import type { Locator, Page } from 'playwright';

/** The editor of rules of a page, by its label. */
export function rulesEditor(page: Page, label: string | RegExp = /^Rules of/): Locator {
  return page.getByRole('textbox', { name: label });
}

/** What the dialog to publish says once it has tried the draft, or knows that it cannot. */
export const TRIED = /decided (as before|otherwise)|were recorded|not recorded/;

/** Replaces all of its text by pasting another: typing is completed as one goes. */
export async function replaceText(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await editor.evaluate((content, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
