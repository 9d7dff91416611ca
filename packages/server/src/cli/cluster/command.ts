import { Command } from 'commander';
import { CLUSTER_CONNECTION_OPTIONS } from '../../platform/network/cluster-options.ts';
import { createCommand } from '../command.ts';
import { DETACH_OPTIONS, INIT_OPTIONS } from './options.ts';

/**
 * Creates the command `hearth cluster` with its subcommands. `program` is the root command, whose settings they
 * inherit.
 */
export function createClusterCommand(program: Command): Command {
  const group = new Command('cluster').description(
    'Show the nodes of a cluster, let another one lead, and take data into and out of it.',
  );
  const status = createCommand({
    name: 'status',
    help: 'List the nodes of a cluster and show which one leads.',
    options: CLUSTER_CONNECTION_OPTIONS,
    load: async () => (await import('./status.ts')).runClusterStatus,
  });
  const handOver = createCommand({
    name: 'hand-over',
    help: 'Let another node of a cluster lead, without a failure.',
    argument: { name: '[node]', help: 'node that leads next, as status shows it; without it, one that can' },
    options: CLUSTER_CONNECTION_OPTIONS,
    load: async () => (await import('./hand-over.ts')).runClusterHandOver,
  });
  const init = createCommand({
    name: 'init',
    help: 'Make the data of a server without a cluster the data of a new cluster.',
    options: INIT_OPTIONS,
    load: async () => (await import('./init.ts')).runClusterInit,
  });
  const detach = createCommand({
    name: 'detach',
    help: 'Make the data of a stopped node usable for a server without a cluster.',
    options: DETACH_OPTIONS,
    load: async () => (await import('./detach.ts')).runClusterDetach,
  });
  for (const command of [status, handOver, init, detach])
    group.addCommand(command.copyInheritedSettings(program));
  return group;
}
