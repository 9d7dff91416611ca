import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { batchGet } from '../accounts/admin/batch-get.ts';
import { readEmulatorConfig } from '../accounts/admin/emulator-methods.ts';
import type { JsonObject } from '../accounts/fields.ts';
import { ACCOUNTS_FILE, ACCOUNTS_FOLDER, CONFIG_FILE, HASHES_FILE } from './emulator-accounts.ts';
import type { EmulatorProduct } from './emulator-product.ts';
import type { ProjectAccounts } from './project-accounts.ts';

const PAGE = 1_000;

/** Passwords, even hashed, are nobody else's business. */
const FOR_OWNER = { mode: 0o600, flush: true } as const;

/**
 * The accounts of a project and its settings, as the official emulator exports them. Where there are no accounts, those of
 * an earlier export stay unless it was imported: the official emulator may have made it.
 */
export function accountsProduct(accounts: ProjectAccounts, wasImported: boolean): EmulatorProduct {
  return {
    name: 'auth',
    folder: ACCOUNTS_FOLDER,
    async write(folder) {
      const pages = new AccountPages(accounts);
      const source = Readable.from(pages.text(), { objectMode: false });
      await pipeline(source, createWriteStream(join(folder, ACCOUNTS_FILE), FOR_OWNER));
      if (pages.count === 0 && !wasImported) return undefined;
      if (Object.keys(pages.hashes).length > 0) writeJson(join(folder, HASHES_FILE), pages.hashes);
      writeJson(join(folder, CONFIG_FILE), await accounts.call(readEmulatorConfig));
      return pages.count === 1 ? '1 account' : `${pages.count} accounts`;
    },
  };
}

class AccountPages {
  readonly #accounts: ProjectAccounts;
  count = 0;
  /** How the passwords are hashed that were read. */
  hashes: JsonObject = {};

  constructor(accounts: ProjectAccounts) {
    this.#accounts = accounts;
  }

  /** The JSON of all accounts, in pieces. */
  async *text(): AsyncGenerator<string> {
    yield '{"kind":"identitytoolkit#DownloadAccountResponse","users":[';
    for (let nextPageToken: unknown = ''; nextPageToken !== undefined; ) {
      const page = await this.#accounts.call(batchGet, { maxResults: PAGE, nextPageToken });
      for (const user of [page['users'] ?? []].flat()) {
        yield `${this.count === 0 ? '' : ','}\n${JSON.stringify(user)}`;
        this.count += 1;
      }
      this.hashes = { ...this.hashes, ...Object(page['hashParameters']) };
      nextPageToken = page['nextPageToken'];
    }
    yield '\n]}\n';
  }
}

function writeJson(path: string, json: JsonObject): void {
  writeFileSync(path, `${JSON.stringify(json, null, 2)}\n`, FOR_OWNER);
}
