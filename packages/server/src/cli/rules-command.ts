import { Command } from 'commander';
import {
  RULES_CHECK_OPTIONS,
  RULES_DENIALS_OPTIONS,
  RULES_EXPLAIN_OPTIONS,
  RULES_HISTORY_OPTIONS,
  RULES_PUBLISH_OPTIONS,
  RULES_REPLAY_OPTIONS,
  RULES_TEST_OPTIONS,
} from '../ops/rules-options.ts';
import { createCommand } from './command.ts';

/** `hearth rules` with its commands. `program` is the one it is for. */
export function createRulesCommand(program: Command): Command {
  const group = new Command('rules').description(
    'Check, test and publish security rules, and see why they say no.',
  );
  const commands = [
    createCommand({
      name: 'check',
      help: 'Tell what is wrong with rules.',
      argument: { name: '[file]', help: 'file of rules; without it, those of firebase.json' },
      options: RULES_CHECK_OPTIONS,
      load: async () => (await import('./rules-check.ts')).runRulesCheck,
    }),
    createCommand({
      name: 'test',
      help: 'Run a file of cases against rules.',
      argument: {
        name: '<files...>',
        help: 'file of rules, unless firebase.json names it, and file of cases',
      },
      options: RULES_TEST_OPTIONS,
      load: async () => (await import('./rules-test.ts')).runRulesTest,
    }),
    createCommand({
      name: 'explain',
      help: 'Tell why an operation would be allowed or denied.',
      options: RULES_EXPLAIN_OPTIONS,
      load: async () => (await import('./rules-explain.ts')).runRulesExplain,
    }),
    createCommand({
      name: 'replay',
      help: 'Tell what draft rules would have changed for recent operations.',
      argument: { name: '[file]', help: 'file of draft rules; without it, that of firebase.json' },
      options: RULES_REPLAY_OPTIONS,
      load: async () => (await import('./rules-replay.ts')).runRulesReplay,
    }),
    createCommand({
      name: 'publish',
      help: 'Put rules in force on a running server.',
      argument: { name: '[file]', help: 'file of rules; without it, that of firebase.json' },
      options: RULES_PUBLISH_OPTIONS,
      load: async () => (await import('./rules-publish.ts')).runRulesPublish,
    }),
    createCommand({
      name: 'history',
      help: 'List the rules that were published, or show what one version changed.',
      argument: { name: '[version]', help: 'number of a version' },
      options: RULES_HISTORY_OPTIONS,
      load: async () => (await import('./rules-history.ts')).runRulesHistory,
    }),
    createCommand({
      name: 'rollback',
      help: 'Publish an earlier version of the rules once more.',
      argument: { name: '[version]', help: 'number of a version; without it, the one before the present' },
      options: RULES_PUBLISH_OPTIONS,
      load: async () => (await import('./rules-rollback.ts')).runRulesRollback,
    }),
    createCommand({
      name: 'denials',
      help: 'List what was denied lately, or show why one operation was.',
      argument: { name: '[id]', help: 'number of a denial' },
      options: RULES_DENIALS_OPTIONS,
      load: async () => (await import('./rules-denials.ts')).runRulesDenials,
    }),
  ];
  group.copyInheritedSettings(program);
  for (const command of commands) group.addCommand(command.copyInheritedSettings(group));
  return group;
}
