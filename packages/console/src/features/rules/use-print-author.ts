import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../elements/show-controls.ts';
import type { RulesAuthor } from '../../server/rules.ts';

/** Who published rules, in words. */
export function usePrintAuthor(): (author: RulesAuthor) => string {
  const { t } = useTranslation('rules');
  return useCallback(
    (author) => {
      switch (author.kind) {
        case 'admin':
          return t('author.admin');
        case 'user':
          return showControls(author.uid);
        case 'file':
          return t('author.file', { name: showControls(author.name) });
        case 'unknown':
          return t('author.unknown');
        default:
          return author satisfies never;
      }
    },
    [t],
  );
}
