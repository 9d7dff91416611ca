import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** What editors say by themselves, in the language of the page, by the words that they have for it. */
export function useEditorPhrases(): Readonly<Record<string, string>> {
  const { t } = useTranslation('rules');
  return useMemo(
    () => ({
      Find: t('editor.find'),
      Replace: t('editor.replaceWith'),
      next: t('editor.next'),
      previous: t('editor.previous'),
      all: t('editor.all'),
      'match case': t('editor.matchCase'),
      'by word': t('editor.byWord'),
      regexp: t('editor.regexp'),
      replace: t('editor.replace'),
      'replace all': t('editor.replaceAll'),
      close: t('editor.close'),
      'Go to line': t('editor.goToLine'),
      go: t('editor.go'),
      Completions: t('editor.completions'),
      Diagnostics: t('editor.problems'),
      'Fold line': t('editor.fold'),
      'Unfold line': t('editor.unfold'),
      'folded code': t('editor.folded'),
      unfold: t('editor.unfold'),
      'Control character': t('editor.controlCharacter'),
      '$ unchanged lines': t('editor.unchanged'),
    }),
    [t],
  );
}
