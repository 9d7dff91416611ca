import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../elements/empty-state.tsx';
import { Failure } from '../../../elements/failure.tsx';
import { ForeignText } from '../../../elements/foreign-text.tsx';
import { LoadingBar } from '../../../elements/loading-bar.tsx';
import { useActing } from './acting.ts';
import type { FoundStandIn } from './use-stand-in.ts';

interface StandInProblemProps {
  readonly who: Exclude<FoundStandIn, { kind: 'other' | 'oneself' }>;
}

/** In the place of data, which are nobody's to be shown as long as it is not known in whose place. */
export function StandInProblem({ who }: StandInProblemProps) {
  const { t } = useTranslation('data');
  const { choose, stop } = useActing();
  switch (who.kind) {
    case 'loading':
      return <LoadingBar />;
    case 'failed':
      return <Failure error={who.error} retry={who.retry} />;
    default:
  }
  return (
    <EmptyState
      title={t(who.kind === 'absent' ? 'actAs.absent' : 'actAs.unreadable')}
      action={
        <>
          <Button variant="contained" onClick={choose}>
            {t('actAs.choose')}
          </Button>
          <Button onClick={stop}>{t('actAs.stop')}</Button>
        </>
      }
    >
      {who.kind === 'absent' && <ForeignText isCode text={who.uid} />}
    </EmptyState>
  );
}
