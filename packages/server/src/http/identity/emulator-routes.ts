import {
  dropAccounts,
  readEmulatorConfig,
  updateEmulatorConfig,
} from '../../accounts/admin/emulator-methods.ts';
import { listRecentCodes } from '../../accounts/codes/list-recent-codes.ts';
import type { MethodRoute } from './identity-route.ts';

const PROJECT = '/emulator/v1/projects/{project}';
const SHARED = { audience: 'emulator', servesDisabled: true } as const;

/** What tests of apps ask the official emulators for. */
export const EMULATOR_ROUTES: readonly MethodRoute[] = [
  { ...SHARED, method: 'DELETE', path: `${PROJECT}/accounts`, run: dropAccounts },
  { ...SHARED, method: 'GET', path: `${PROJECT}/config`, run: readEmulatorConfig },
  { ...SHARED, method: 'PATCH', path: `${PROJECT}/config`, run: updateEmulatorConfig },
  { ...SHARED, method: 'GET', path: `${PROJECT}/oobCodes`, run: listRecentCodes },
];
