import { belongsToCluster } from '../cluster/node/position.ts';
import { leaveCluster } from '../cluster/node/replicated-store.ts';
import { findDataDirectory, openDataDirectory } from '../platform/data-directory.ts';
import { StartFailure } from '../platform/failures.ts';
import { openStore } from './app.ts';

/**
 * Makes the data directory of a node that is stopped usable for a server without a cluster. Returns its absolute path.
 * Throws a `StartFailure`.
 */
export function detachFromCluster(name: string): string {
  using directory = openDataDirectory(findDataDirectory(name));
  using store = openStore(directory.path);
  if (!belongsToCluster(store))
    throw new StartFailure(`The directory ${directory.path} does not belong to a cluster.`);
  leaveCluster(store);
  return directory.path;
}
