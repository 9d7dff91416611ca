import { useTranslation } from 'react-i18next';
import { MAIL_KINDS } from '../../server/mail.ts';
import { SETTINGS, type SettingName, TEMPLATES_PATH } from './settings.ts';

const NAMES = Object.keys(SETTINGS).filter((name): name is SettingName => name in SETTINGS);

/** What people call the setting at a path, and how its values are written. */
export function useSettingLabel(): {
  labelOf(path: string): string;
  /** `undefined` for values that are too much for a line. */
  printValue(path: string, value: unknown): string | undefined;
} {
  const { t, i18n } = useTranslation('sign-in');
  return {
    labelOf(path) {
      const name = NAMES.find((known) => SETTINGS[known] === path);
      if (name !== undefined) return t(`setting.${name}`);
      const [kind = '', language = ''] = path.slice(TEMPLATES_PATH.length + 1).split('.');
      const mail = MAIL_KINDS.find((known) => known === kind);
      const languages = new Intl.DisplayNames(i18n.language, { type: 'language' });
      return mail === undefined ? path : `${t(`mail.${mail}`)} · ${languages.of(language) ?? language}`;
    },
    printValue(path, value) {
      if (typeof value === 'boolean') {
        const isOn = INVERTED.has(path) ? !value : value;
        return t(isOn ? 'value.on' : 'value.off');
      }
      if (value === undefined || value === '') return t('value.none');
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
      return typeof value === 'string' ? value : undefined;
    },
  };
}

/** Settings that the configuration has the other way round. */
export const INVERTED: ReadonlySet<string> = new Set([
  SETTINGS.passwordRequired,
  SETTINGS.noSignUp,
  SETTINGS.noDeletion,
]);
