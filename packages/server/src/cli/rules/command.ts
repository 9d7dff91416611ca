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
      help: 'Report the problems in rules.',
      argument: { name: '[file]', help: 'rules file; without it, those that firebase.json names' },
      options: RULES_CHECK_OPTIONS,
      load: async () => (await import('./check.ts')).runRulesCheck,
    }),
    createCommand({
      name: 'test',
      help: 'Run the cases of a file against rules.',
      argument: {
        name: '<files...>',
        help: 'rules file (optional if firebase.json names one) and case file',
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
      argument: { name: '[file]', help: 'draft rules file; without it, the one that firebase.json names' },
      options: RULES_REPLAY_OPTIONS,
      load: async () => (await import('./replay.ts')).runRulesReplay,
    }),
    createCommand({
      name: 'publish',
      help: 'Publish rules on a running server.',
      argument: { name: '[file]', help: 'rules file; without it, the one that firebase.json names' },
      options: RULES_PUBLISH_OPTIONS,
      load: async () => (await import('./publishing.ts')).runRulesPublish,
    }),
    createCommand({
      name: 'history',
      help: 'List the published versions, or show what one version changed.',
      argument: { name: '[version]', help: 'version number' },
      options: RULES_HISTORY_OPTIONS,
      load: async () => (await import('./publishing.ts')).runRulesHistory,
    }),
    createCommand({
      name: 'rollback',
      help: 'Publish an earlier version of the rules again.',
      argument: {
        name: '[version]',
        help: 'version number; without it, the one before the current version',
      },
      options: RULES_PUBLISH_OPTIONS,
      load: async () => (await import('./publishing.ts')).runRulesRollback,
    }),
    createCommand({
      name: 'denials',
      help: 'List recent denials, or explain one of them.',
      argument: { name: '[id]', help: 'denial number' },
      options: RULES_DENIALS_OPTIONS,
      load: async () => (await import('./denials.ts')).runRulesDenials,
    }),
  ];
  group.copyInheritedSettings(program);
  for (const command of commands) group.addCommand(command.copyInheritedSettings(group));
  return group;
}
