import type { Options } from '../ops/options.ts';
import type { RulesFile } from '../project/rules-files.ts';

/** What a person who starts the server in a terminal wants to know. */
export function formatBanner(
  url: string,
  dataPath: string,
  { project }: Options,
  configName: string | undefined,
  rulesFiles: readonly RulesFile[],
): string {
  const { hostname, port } = new URL(url);
  return `
Hearth, development mode: for this machine only, and everybody on it is an administrator.

  Console   ${url}/console
  Data      ${dataPath}
${configName === undefined ? '' : `  Project   ${project}, from ${configName}\n`}  Connect   connectDatabaseEmulator(getDatabase(app), '${hostname}', ${port})
            or databaseURL: '${url}?ns=${project}-default-rtdb'
            connectAuthEmulator(getAuth(app), '${url}')
  Mails     ${url}/emulator/mail
  REST      curl '${url}/.json?ns=${project}-default-rtdb'
${rulesFiles.length === 0 ? openRules(url, project) : keptRules(rulesFiles)}  Stop      Ctrl-C

`;
}

function openRules(url: string, project: string): string {
  return `  Rules     open until you load some: curl -T database.rules.json -H 'Authorization: Bearer owner' \\
            '${url}/.settings/rules.json?ns=${project}-default-rtdb'
`;
}

function keptRules(files: readonly RulesFile[]): string {
  const lines = files.map(({ path, databases }) => `${path}, for ${databases.join(' and ')}`);
  return `  Rules     ${lines.join('\n            ')}
            read again whenever they change; any other database is open
`;
}
