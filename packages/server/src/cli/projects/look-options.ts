import { type OptionSpec, single } from '../../platform/option.ts';
import { PROJECT_OPTIONS } from './options.ts';

function textOption(flag: string, help: string): OptionSpec<string | null> {
  return {
    flag,
    environment: null,
    help,
    fallback: null,
    isRepeatable: false,
    parse: single((text) => text),
  };
}

export const PROJECT_LOOK_OPTIONS = {
  ...PROJECT_OPTIONS,
  name: textOption('--name <text>', 'name of the app; "" for the project ID'),
  lightColor: textOption(
    '--light-color <color>',
    'color of buttons and links on light pages and in emails, such as #1a73e8; "" for that of Hearth',
  ),
  darkColor: textOption(
    '--dark-color <color>',
    'color of buttons and links on dark pages; "" for that of Hearth',
  ),
  cornerRadius: textOption(
    '--corner-radius <pixels>',
    'radius of the corners of buttons and fields, from 0 to 24; "" for that of Hearth',
  ),
  logo: textOption('--logo <file>', 'PNG image of at most 24 KB and 512 pixels; "" for none'),
} as const satisfies Record<string, OptionSpec<unknown>>;
