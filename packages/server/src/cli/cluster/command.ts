import { Command } from 'commander';
import { CLUSTER_CONNECTION_OPTIONS } from '../../platform/network/cluster-options.ts';
import { createCommand } from '../command.ts';

/**
 * Creates the command `hearth cluster` with its subcommands. `program` is the root command, whose settings they
 * inherit.
 */
export function createClusterCommand(program: Command): Command {
  const group = new Command('cluster').description('Look at the nodes of a cluster.');
  const status = createCommand({
    name: 'status',
    help: 'List the nodes of a cluster, and which of them leads.',
    options: CLUSTER_CONNECTION_OPTIONS,
    load: async () => (await import('./status.ts')).runClusterStatus,
  });
  group.addCommand(status.copyInheritedSettings(program));
  return group;
}
