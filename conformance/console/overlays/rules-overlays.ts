import type { Page } from 'playwright';
import type { Overlay } from '../../drivers/console/overlay.ts';
import { replaceText, rulesEditor, TRIED } from '../../drivers/console/page.ts';
import { button, combobox } from './openers.ts';

/** The database of these views. */
export const RULES_DATABASE = 'overlays';
export const CLOSED = '{"rules": {".read": false}}';
export const OPEN = '{"rules": {".read": true}}';
const DRAFT = '{"rules": {".read": "auth != null"}}';

const viewOf = (rest: string) => `/projects/demo/rules/${RULES_DATABASE}/${rest}`;

/** Returns the overlays of rules. `publish` publishes rules, as another user does. */
export function rulesOverlays(publish: () => Promise<unknown>): readonly Overlay[] {
  return [
    {
      view: viewOf('versions/1'),
      file: 'features/rules/versions/version-detail.tsx',
      role: 'dialog',
      name: 'Roll back to version 1?',
      opener: button('Roll back'),
    },
    {
      view: viewOf('denials'),
      file: 'features/rules/denials/settings-dialog.tsx',
      role: 'dialog',
      name: 'Denial log settings',
      opener: button('Settings'),
    },
    {
      view: viewOf('simulator'),
      file: 'features/rules/simulator/simulator-tab.tsx',
      role: 'listbox',
      name: 'Operation',
      opener: combobox('Operation'),
    },
    {
      view: viewOf('simulator'),
      file: 'features/rules/simulator/auth-field.tsx',
      role: 'listbox',
      name: 'Use an account',
      prepare: (keys, page) => keys.enter(button('Signed-in user')(page)),
      opener: combobox('Use an account'),
      open: (keys) => keys.type('ann'),
      isSuggesting: true,
    },
    {
      view: viewOf('edit'),
      file: 'features/rules/editor/publish-dialog.tsx',
      role: 'dialog',
      name: /^Publish the rules/,
      prepare: writeDraft,
      opener: button('Publish'),
      open: async (keys, page) => {
        await keys.press('Enter');
        await page.getByText(TRIED).first().waitFor();
      },
    },
    {
      view: viewOf('edit'),
      file: 'features/rules/versions/difference.tsx',
      role: 'dialog',
      name: /^Your draft and version/,
      prepare: async (_keys, page) => {
        await writeDraft(_keys, page);
        await publish();
      },
      opener: button('Merge'),
    },
  ];
}

async function writeDraft(_keys: unknown, page: Page): Promise<void> {
  await replaceText(page, rulesEditor(page), DRAFT);
  await page.getByText('stored in this browser').waitFor();
}
