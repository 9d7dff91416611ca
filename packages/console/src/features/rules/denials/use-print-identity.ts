import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../elements/show-controls.ts';
import type { DeniedIdentity } from '../../../server/rules-denials.ts';

/** Who was denied, in a word. */
export function usePrintIdentity(): (identity: DeniedIdentity) => string {
  const { t } = useTranslation('rules');
  return useCallback(
    (identity) => {
      if (identity.kind === 'guest') return t('denials.guest');
      const uid = uidOf(identity.auth);
      return uid === undefined ? t('denials.somebody') : showControls(uid);
    },
    [t],
  );
}

function uidOf(auth: unknown): string | undefined {
  if (typeof auth !== 'object' || auth === null) return undefined;
  const { uid } = auth as { readonly uid?: unknown };
  return typeof uid === 'string' ? uid : undefined;
}
