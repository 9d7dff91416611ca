import { Command } from 'commander';
import { createCommand } from '../command.ts';
import {
  RULES_CHECK_OPTIONS,
  RULES_DENIALS_OPTIONS,
  RULES_EXPLAIN_OPTIONS,
  RULES_HISTORY_OPTIONS,
  RULES_PUBLISH_OPTIONS,
  RULES_REPLAY_OPTIONS,
  RULES_TEST_OPTIONS,
} from './options.ts';

/**
 * Creates the command `hearth rules` with its subcommands. `program` is the root command, whose settings they
 * inherit.
 */
export function createRulesCommand(program: Command): Command {
  const group = new Command('rules').description(
    'Check, test and publish security rules, and explain denials.',
  );
  const commands = [
    createCommand({
      name: 'check',
      help: 'Report the problems of rules.',
      argument: { name: '[file]', help: 'file of rules; without it, those of firebase.json' },
      options: RULES_CHECK_OPTIONS,
      load: async () => (await import('./check.ts')).runRulesCheck,
    }),
    createCommand({
      name: 'test',
      help: 'Run a file of cases against rules.',
      argument: {
        name: '<files...>',
        help: 'file of rules, unless firebase.json names it, and file of cases',
      },
      options: RULES_TEST_OPTIONS,
      load: async () => (await import('./check.ts')).runRulesTest,
    }),
    createCommand({
      name: 'explain',
      help: 'Explain why an operation would be allowed or denied.',
      options: RULES_EXPLAIN_OPTIONS,
      load: async () => (await import('./explain.ts')).runRulesExplain,
    }),
    createCommand({
      name: 'replay',
      help: 'Report what draft rules would have changed for recent operations.',
      argument: { name: '[file]', help: 'file of draft rules; without it, that of firebase.json' },
      options: RULES_REPLAY_OPTIONS,
      load: async () => (await import('./replay.ts')).runRulesReplay,
    }),
    createCommand({
      name: 'publish',
      help: 'Publish rules on a running server.',
      argument: { name: '[file]', help: 'file of rules; without it, that of firebase.json' },
      options: RULES_PUBLISH_OPTIONS,
      load: async () => (await import('./publishing.ts')).runRulesPublish,
    }),
    createCommand({
      name: 'history',
      help: 'List the published versions, or show what one version changed.',
      argument: { name: '[version]', help: 'number of a version' },
      options: RULES_HISTORY_OPTIONS,
      load: async () => (await import('./publishing.ts')).runRulesHistory,
    }),
    createCommand({
      name: 'rollback',
      help: 'Publish an earlier version of the rules again.',
      argument: {
        name: '[version]',
        help: 'number of a version; without it, the one before the current one',
      },
      options: RULES_PUBLISH_OPTIONS,
      load: async () => (await import('./publishing.ts')).runRulesRollback,
    }),
    createCommand({
      name: 'denials',
      help: 'List recent denials, or explain one of them.',
      argument: { name: '[id]', help: 'number of a denial' },
      options: RULES_DENIALS_OPTIONS,
      load: async () => (await import('./denials.ts')).runRulesDenials,
    }),
  ];
  group.copyInheritedSettings(program);
  for (const command of commands) group.addCommand(command.copyInheritedSettings(group));
  return group;
}
