import { detachFromCluster } from '../../app/cluster-detach.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { DETACH_OPTIONS } from './options.ts';

/** Runs `hearth cluster detach`: makes the data of a node usable for a server without a cluster. */
export async function runClusterDetach(flags: FlagsOf<typeof DETACH_OPTIONS>): Promise<void> {
  const path = detachFromCluster(readOption(DETACH_OPTIONS.data, flags.data));
  process.stdout.write(
    `The data in ${path} no longer belongs to a cluster. Start it without --cluster and with the same secret key. A node of the cluster cannot use it again.\n`,
  );
}
