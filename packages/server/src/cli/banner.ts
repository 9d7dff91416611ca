import type { Options } from '../ops/options.ts';

/** What a person who starts the server in a terminal wants to know. */
export function formatBanner(url: string, dataPath: string, options: Options): string {
  const { hostname, port } = new URL(url);
  return `
Hearth, development mode: for this machine only, and everybody on it is an administrator.

  Data      ${dataPath}
  Connect   connectDatabaseEmulator(getDatabase(app), '${hostname}', ${port})
            or databaseURL: '${url}?ns=${options.project}-default-rtdb'
  REST      curl '${url}/.json?ns=${options.project}-default-rtdb'
  Rules     open until you load some: curl -T database.rules.json -H 'Authorization: Bearer owner' \\
            '${url}/.settings/rules.json?ns=${options.project}-default-rtdb'
  Stop      Ctrl-C

`;
}
