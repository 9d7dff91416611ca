import type { Page } from 'playwright';
import type { Keyboard } from '../../drivers/console/keyboard.ts';
import type { Overlay } from '../../drivers/console/overlay.ts';
import { button, combobox } from './openers.ts';

const PEOPLE = '/projects/people/accounts';

/** The account of the project `people`, with a sign-in method and a second factor that can be removed. */
export const PEOPLE_ACCOUNTS = [
  {
    localId: 'ada',
    email: 'ada@example.com',
    emailVerified: true,
    mfaInfo: [{ mfaEnrollmentId: 'm1', phoneInfo: '+15551234567', displayName: 'Work' }],
    providerUserInfo: [{ providerId: 'google.com', rawId: 'g1', email: 'ada@example.com' }],
  },
];

/** A file of accounts with password hashes whose algorithm the user must select. */
const HASHED = JSON.stringify({
  users: [{ localId: 'eve', email: 'eve@example.com', passwordHash: 'aGFzaA==', salt: 'c2FsdA==' }],
});

async function chooseAda(keys: Keyboard, page: Page): Promise<void> {
  await keys.reach(page.getByRole('row', { name: 'ada@example.com' }));
  await keys.press('Space');
}

async function chooseFile(_keys: Keyboard, page: Page): Promise<void> {
  await page.getByLabel('Choose file').setInputFiles({
    name: 'accounts.json',
    mimeType: 'application/json',
    buffer: Buffer.from(HASHED),
  });
}

const list = { view: PEOPLE } as const;
const ada = { view: `${PEOPLE}/ada`, role: 'dialog' } as const;

/** Returns the overlays of accounts. `anonymous` is the user ID of an account with a session. */
export function accountsOverlays(anonymous: string): readonly Overlay[] {
  return [
    {
      ...list,
      file: 'features/accounts/create-account-dialog.tsx',
      role: 'dialog',
      name: 'New account',
      opener: button('New account'),
    },
    {
      ...list,
      file: 'features/accounts/filter-dialog.tsx',
      role: 'dialog',
      name: 'Filter accounts',
      opener: button('Filter'),
    },
    {
      ...list,
      file: 'features/accounts/filter-dialog.tsx',
      role: 'listbox',
      name: 'State',
      prepare: (keys, page) => keys.enter(button('Filter')(page)),
      opener: combobox('State'),
    },
    {
      ...list,
      file: 'features/accounts/list-toolbar.tsx',
      role: 'listbox',
      name: 'Tenant',
      opener: combobox('Tenant'),
    },
    {
      ...list,
      file: 'features/accounts/accounts-page.tsx',
      role: 'menu',
      name: 'More',
      opener: button('More'),
    },
    {
      ...list,
      file: 'features/accounts/import-dialog.tsx',
      role: 'dialog',
      name: 'Import accounts',
      opener: button('More'),
      open: async (keys) => {
        await keys.press('Enter');
        await keys.choose('Import accounts');
      },
    },
    {
      ...list,
      file: 'features/accounts/export-dialog.tsx',
      role: 'dialog',
      name: 'Export accounts',
      opener: button('More'),
      open: async (keys) => {
        await keys.press('Enter');
        await keys.choose('Export accounts');
      },
    },
    {
      ...list,
      file: 'features/accounts/list-toolbar.tsx',
      role: 'listbox',
      name: 'Sort by',
      opener: combobox('Sort by'),
    },
    {
      ...list,
      file: 'features/accounts/bulk-actions.tsx',
      role: 'dialog',
      name: 'Disable 1 account?',
      prepare: chooseAda,
      opener: button('Disable'),
    },
    {
      view: `${PEOPLE}?dialog=import`,
      file: 'features/accounts/import-dialog.tsx',
      role: 'listbox',
      name: 'Hash algorithm',
      prepare: chooseFile,
      opener: combobox('Hash algorithm'),
    },
    {
      ...ada,
      file: 'features/accounts/one/account-head.tsx',
      name: 'Disable ada@example.com?',
      opener: button('Disable'),
    },
    {
      ...ada,
      file: 'features/accounts/one/account-head.tsx',
      name: 'Delete ada@example.com?',
      opener: button('Delete'),
    },
    {
      ...ada,
      file: 'features/accounts/one/merge-dialog.tsx',
      name: 'Merge duplicate accounts',
      opener: button('Merge duplicates'),
    },
    {
      ...ada,
      file: 'features/accounts/one/sign-in-card.tsx',
      name: 'Remove this sign-in method?',
      opener: (page) =>
        page.getByRole('region', { name: 'Sign-in methods' }).getByRole('button', { name: 'Remove' }).first(),
    },
    {
      ...ada,
      file: 'features/accounts/one/password-actions.tsx',
      name: 'Set a new password?',
      opener: button('Set password'),
    },
    {
      ...ada,
      file: 'features/accounts/one/password-actions.tsx',
      name: 'Password reset link',
      opener: button('Create reset link'),
    },
    {
      ...ada,
      file: 'features/accounts/one/factors-card.tsx',
      name: 'Remove this second factor?',
      opener: (page) =>
        page.getByRole('region', { name: 'Second factors' }).getByRole('button', { name: 'Remove' }),
    },
    {
      view: `/projects/demo/accounts/${anonymous}`,
      file: 'features/accounts/one/sessions-card.tsx',
      role: 'dialog',
      name: 'End 1 session?',
      opener: button('End all'),
    },
  ];
}
