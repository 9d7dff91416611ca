/** Where exports keep accounts, unless they say otherwise. */
export const ACCOUNTS_FOLDER = 'auth_export';

/** The accounts of the project, as `accounts:batchGet` lists them. */
export const ACCOUNTS_FILE = 'accounts.json';

/** The settings of the project that the official emulator has. */
export const CONFIG_FILE = 'config.json';

/**
 * How the passwords in the accounts are hashed, by their `hashParametersId`: Hearth's own, as the official emulator keeps
 * passwords as they are. Its name is none that the official emulator takes for a file of accounts.
 */
export const HASHES_FILE = 'password-hashes.json';
