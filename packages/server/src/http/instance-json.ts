import { isIP } from 'node:net';
import type { ApiRequest } from './api-request.ts';
import { parseHostName } from './host-name.ts';

/** Where the databases are said to be for those who ask about all locations. */
const ANY_LOCATION = '-';
const LOCATION = 'us-central1';

/** A database as an instance of the management service. */
export function instanceJson(
  { segments, origin }: Pick<ApiRequest, 'segments' | 'origin'>,
  database: string,
) {
  const { project = '', location = ANY_LOCATION } = segments;
  const place = location === ANY_LOCATION ? LOCATION : location;
  return {
    name: `projects/${project}/locations/${place}/instances/${database}`,
    project: `projects/${project}`,
    databaseUrl: databaseUrl(origin, database),
    type: database === defaultInstance(project) ? 'DEFAULT_DATABASE' : 'USER_DATABASE',
    state: 'ACTIVE',
  };
}

/** The database of a project whose clients name none. */
export function defaultInstance(project: string): string {
  return `${project}-default-rtdb`;
}

/**
 * The address of a database. If clients call this server by a name of their own machine, the host names the database, because
 * the official command line forgets about parameters: by a mere `?ns=` it would read, and delete, what is in another database.
 */
function databaseUrl(origin: string, database: string): string {
  const host = /^http:\/\/(.+)$/.exec(origin)?.[1] ?? '';
  const name = parseHostName(host) ?? '';
  const port = /:([0-9]+)$/.exec(host)?.[0] ?? '';
  const isHere =
    name === 'localhost' || name.endsWith('.localhost') || name.startsWith('[') || isIP(name) !== 0;
  return isHere ? `http://${database}.db.localhost${port}` : `${origin}/?ns=${database}`;
}
