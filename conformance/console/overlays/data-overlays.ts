import type { Page } from 'playwright';
import type { Overlay } from '../../drivers/console/overlay.ts';
import { button, combobox } from './openers.ts';

/** The database of these views. */
export const DATA_DATABASE = 'overlays';
/** A database whose rules deny all reads. */
export const CLOSED_DATABASE = 'another';
export const DATA = { rooms: { lobby: { topic: 'hi', open: true } }, title: 'old' };

const TREE = `/projects/demo/data/${DATA_DATABASE}`;

/** Finds the tree when it has a row, because keys that move to a row have no effect earlier. */
const tree = (page: Page) => page.getByRole('treegrid').filter({ has: page.locator('[data-path]') });

const TABLE = `${TREE}/rooms?view=table`;

const inTree = { view: TREE, opener: tree } as const;

/** Returns the overlays of data. `write` changes the value of `title`, as another user does. */
export function dataOverlays(write: (value: string) => Promise<unknown>): readonly Overlay[] {
  return [
    {
      view: '/projects/demo/data',
      file: 'features/database/choose-database.tsx',
      role: 'dialog',
      name: 'Create database',
      opener: button('Create database'),
    },
    {
      view: TABLE,
      file: 'features/database/table/columns-dialog.tsx',
      role: 'dialog',
      name: 'Columns',
      opener: button('Columns'),
    },
    {
      view: TABLE,
      file: 'features/database/table/column-menu.tsx',
      role: 'menu',
      name: 'Column open',
      opener: (page) => page.getByRole('grid').filter({ has: page.locator('[data-head]') }),
      open: (keys) => keys.press('Home', 'Shift+F10'),
    },
    {
      ...inTree,
      file: 'features/database/tree/node-menu.tsx',
      role: 'menu',
      name: 'Actions for rooms',
      open: (keys) => keys.press('Home', 'Shift+F10'),
    },
    {
      ...inTree,
      file: 'features/database/changes/last-write-dialog.tsx',
      role: 'dialog',
      name: 'Last write',
      open: async (keys) => {
        await keys.press('Home', 'Shift+F10');
        await keys.choose('Who wrote this?');
      },
    },
    {
      ...inTree,
      file: 'features/database/edit/node-dialogs.tsx',
      role: 'dialog',
      name: 'Rename',
      open: async (keys) => {
        await keys.press('Home', 'Shift+F10');
        await keys.choose('Rename');
      },
    },
    {
      ...inTree,
      file: 'features/database/edit/node-dialogs.tsx',
      role: 'dialog',
      name: 'Delete this node and all its children?',
      open: async (keys, page) => {
        await keys.press('Home', 'Delete');
        await page.getByText('in total').waitFor();
      },
    },
    {
      ...inTree,
      file: 'features/database/edit/node-dialogs.tsx',
      role: 'dialog',
      name: 'Add child',
      open: (keys) => keys.press('a'),
    },
    {
      view: TREE,
      file: 'features/database/edit/node-dialogs.tsx',
      role: 'dialog',
      name: 'Add child',
      opener: button('Add child'),
    },
    {
      view: TREE,
      file: 'features/database/transfer/import-dialog.tsx',
      role: 'dialog',
      name: 'Import',
      opener: button('Import'),
    },
    {
      view: TREE,
      file: 'features/database/changes/dialog.tsx',
      role: 'dialog',
      name: 'Changes',
      opener: button('Show changes'),
    },
    {
      view: TREE,
      file: 'features/database/edit/node-dialogs.tsx',
      role: 'listbox',
      name: 'Type',
      prepare: async (keys, page) => {
        await keys.reach(tree(page));
        await keys.press('a');
      },
      opener: combobox('Type'),
    },
    {
      view: TREE,
      file: 'features/database/edit/node-dialogs.tsx',
      role: 'listbox',
      name: 'Value',
      prepare: async (keys, page) => {
        await keys.reach(tree(page));
        await keys.press('a');
        await keys.enter(combobox('Type')(page));
        await keys.choose('boolean');
      },
      opener: combobox('Value'),
    },
    {
      view: TREE,
      file: 'features/database/edit/conflict-dialog.tsx',
      role: 'dialog',
      name: 'Edit conflict',
      prepare: async (keys, page) => {
        await keys.reach(tree(page));
        await keys.press('End', 'Enter');
        await page.getByRole('textbox', { name: 'Value of title' }).waitFor();
        await keys.type('mine');
        await write('theirs');
        await page.getByText('Changed by another user to').waitFor();
      },
      opener: (page) => page.getByRole('textbox', { name: 'Value of title' }),
    },
    {
      view: TREE,
      file: 'features/database/changes/conflict-dialog.tsx',
      role: 'dialog',
      name: 'Overwrite later changes?',
      prepare: async (keys, page) => {
        await keys.reach(tree(page));
        await keys.press('End', 'Enter');
        await page.getByRole('textbox', { name: 'Value of title' }).waitFor();
        await keys.type('mine');
        await keys.press('Enter');
        await page.getByText('title saved.').waitFor();
        await write('theirs');
      },
      opener: tree,
      open: (keys) => keys.press('Control+z'),
    },
    {
      view: `${TREE}?q=lobby`,
      file: 'features/database/query/search.tsx',
      role: 'listbox',
      name: 'In',
      opener: (page) => page.getByRole('search').getByRole('combobox', { name: 'In' }),
    },
    ...(['Order by', 'Take'] as const).map(
      (name): Overlay => ({
        view: `${TREE}?order=key&limit=2`,
        file: 'features/database/query/query-form.tsx',
        role: 'listbox',
        name,
        opener: combobox(name),
      }),
    ),
    {
      view: `${TREE}?order=key&limit=2`,
      file: 'features/database/query/code-samples.tsx',
      role: 'dialog',
      name: 'Copy as code',
      opener: button('Copy as code'),
    },
    {
      ...inTree,
      file: 'features/database/impersonation/choose-dialog.tsx',
      role: 'dialog',
      name: 'View as…',
      open: (keys) => keys.press('u'),
    },
    {
      view: `/projects/demo/data/${CLOSED_DATABASE}?as=nobody`,
      file: 'features/database/impersonation/explain-dialog.tsx',
      role: 'dialog',
      name: /\//,
      opener: button('Why?'),
    },
    {
      view: TREE,
      file: 'features/database/saved-queries/dialog.tsx',
      role: 'dialog',
      name: 'Saved queries',
      opener: button('Saved queries'),
    },
    {
      view: TREE,
      file: 'features/database/staging/review-panel.tsx',
      role: 'dialog',
      name: 'Staged edits',
      prepare: async (keys, page) => {
        await keys.reach(tree(page));
        await keys.press('e', 'End', 'Delete');
      },
      opener: button('Review'),
    },
  ];
}
