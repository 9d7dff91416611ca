import { describe, expect, test } from 'vitest';
import type { LiveConnections } from './live-connections.ts';
import type { Principal } from './principal.ts';

/** A holder of live connections that has none yet. */
export interface LiveConnectionsTestBed {
  readonly live: LiveConnections;
  /**
   * Opens a connection of an administrator or of an anonymous client. Returns a function that says whether it is still
   * served for this principal.
   */
  connect(kind: 'admin' | 'guest'): Promise<() => boolean>;
  /** Resolves when all effects of the previous calls have happened. */
  settle(): Promise<void>;
}

/** Declares the tests that every holder of live connections must pass. */
export function liveConnectionsContract(name: string, open: () => Promise<LiveConnectionsTestBed>): void {
  describe(`live connections contract: ${name}`, () => {
    test('[I530] a revocation ends every connection whose principal meets the condition, and no other', async () => {
      const { live, connect, settle } = await open();
      const admins = [await connect('admin'), await connect('admin')];
      const guest = await connect('guest');
      live.revokeCredentials(({ kind }) => kind === 'admin', 'revoked');
      await settle();
      expect(admins.map((isServed) => isServed())).toEqual([false, false]);
      expect(guest()).toBe(true);
    });

    test('[I530] a condition that no principal meets ends nothing, and every principal is checked', async () => {
      const { live, connect, settle } = await open();
      const connections = [await connect('admin'), await connect('guest')];
      const checked: Principal[] = [];
      live.revokeCredentials((principal) => {
        checked.push(principal);
        return false;
      }, 'revoked');
      await settle();
      expect(connections.map((isServed) => isServed())).toEqual([true, true]);
      expect(checked.map(({ kind }) => kind).sort()).toEqual(['admin', 'guest']);
    });

    test('[I530] a connection that has ended is not checked again', async () => {
      const { live, connect, settle } = await open();
      await connect('admin');
      live.revokeCredentials(() => true, 'revoked');
      await settle();
      const later = await connect('admin');
      const checked: Principal[] = [];
      live.revokeCredentials((principal) => {
        checked.push(principal);
        return false;
      }, 'revoked');
      expect(checked).toHaveLength(1);
      expect(later()).toBe(true);
    });
  });
}
