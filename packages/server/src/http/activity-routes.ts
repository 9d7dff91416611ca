import type { ApiRouteEntry } from './api-routes.ts';
import { followActivity } from './routes/activity-follow.ts';
import { endConnection } from './routes/connection-end.ts';
import { readConnection } from './routes/connection-read.ts';
import { listConnections } from './routes/connections-list.ts';
import { listHotPaths } from './routes/hot-paths-list.ts';
import { listQueries } from './routes/queries-list.ts';
import { readServerActivity } from './routes/server-activity-read.ts';

const DATABASE = '/api/databases/:database';

/** What is going on in a database, and how the server does. */
export const ACTIVITY_ROUTES: readonly ApiRouteEntry[] = [
  { method: 'GET', url: `${DATABASE}/connections`, run: listConnections, right: 'look' },
  { method: 'GET', url: `${DATABASE}/connections/:id`, run: readConnection, right: 'look' },
  { method: 'DELETE', url: `${DATABASE}/connections/:id`, run: endConnection, right: 'change' },
  { method: 'GET', url: `${DATABASE}/activity`, run: followActivity, right: 'look' },
  { method: 'GET', url: `${DATABASE}/queries`, run: listQueries, right: 'look' },
  { method: 'GET', url: `${DATABASE}/hot-paths`, run: listHotPaths, right: 'look' },
  {
    method: 'GET',
    url: '/api/server/activity',
    run: readServerActivity,
    right: 'look',
    isFor: 'any-project',
  },
];
