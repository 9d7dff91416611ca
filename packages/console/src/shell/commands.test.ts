import { describe, expect, test } from 'vitest';
import { matchCommands } from './command-palette.tsx';
import { type Command, groupCommands } from './commands.ts';

function command(title: string, group: string): Command {
  return { id: title, title, group, run() {} };
}

const COMMANDS = [
  command('Add a member', 'Project'),
  command('Données', 'Aller à'),
  command('Members', 'Project'),
  command('Colors: Dark', 'Appearance'),
];

describe('finding commands', () => {
  test.each([
    ['', ['Add a member', 'Données', 'Members', 'Colors: Dark']],
    ['member', ['Members', 'Add a member']],
    ['dark colo', ['Colors: Dark']],
    ['donnees', ['Données']],
    ['project', ['Add a member', 'Members']],
    ['no such', []],
  ])('[C20] the search text %j finds %j', (text, titles) => {
    expect(matchCommands(COMMANDS, text).map(({ title }) => title)).toEqual(titles);
  });

  test('[C20] commands are grouped by heading; the groups have the order of their first commands', () => {
    expect(groupCommands(COMMANDS).map(({ name, commands }) => [name, commands.length])).toEqual([
      ['Project', 2],
      ['Aller à', 1],
      ['Appearance', 1],
    ]);
  });
});
