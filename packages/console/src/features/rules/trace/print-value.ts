import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { StepValue } from '../../../api/rules.ts';
import { showControls } from '../../../ui/text.tsx';

/** Maximum length of a value that is shown within a rule, in UTF-16 code units. */
const MAX_SHORT = 40;

/** Returns a function that prints a value, completely or short enough to be shown within a rule. */
export function usePrintValue(): (value: StepValue, form: 'whole' | 'short') => string {
  const { t, i18n } = useTranslation('rules');
  return useCallback(
    (value, form) => {
      const whole = printValue(value);
      return form === 'short' && whole.length > MAX_SHORT ? `${whole.slice(0, MAX_SHORT - 1)}…` : whole;
      function printValue(given: StepValue): string {
        switch (given.kind) {
          case 'scalar':
            return showControls(JSON.stringify(given.value));
          case 'not-finite':
            return given.text;
          case 'object':
            return t('value.object');
          case 'json':
            return showControls(JSON.stringify(given.value));
          case 'snapshot':
            return t(`value.${given.tree}`, {
              path: given.path === null ? '?' : isolated(showControls(given.path)),
            });
          case 'error':
            return t('value.error', { message: given.message });
          case 'cut':
            return t('value.cut', {
              start: showControls(given.start.slice(0, 200)),
              count: given.length,
              number: new Intl.NumberFormat(i18n.language).format(given.length),
            });
          case 'redacted':
            return given.of === 'string' && given.length !== undefined
              ? t('value.hiddenText', { count: given.length })
              : t(
                  given.of === 'number'
                    ? 'value.hiddenNumber'
                    : given.of === 'snapshot'
                      ? 'value.hiddenPlace'
                      : 'value.hiddenString',
                );
          default:
            return given satisfies never;
        }
      }
    },
    [t, i18n.language],
  );
}

/** Marks a text as left-to-right, so that a sentence of any direction can contain it. */
function isolated(text: string): string {
  return `\u2066${text}\u2069`;
}
