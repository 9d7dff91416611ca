import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { ForeignText } from '../../../elements/foreign-text.tsx';
import type { RefusedAct } from '../../../server/stand-in-api.ts';
import { useActing } from './acting.ts';
import { questionOfAct } from './question-of-act.ts';

/** What rules refused last, and the way to why. */
export function RefusedActNote() {
  const { t } = useTranslation('data');
  const { refused, forgetRefused, explain } = useActing();
  if (refused === null) return null;
  return (
    <Alert
      severity="error"
      sx={{ border: 2, borderColor: 'error.main' }}
      action={
        <>
          <Button
            color="inherit"
            size="small"
            variant="outlined"
            onClick={() => explain(questionOfAct(refused))}
          >
            {t('actAs.why')}
          </Button>
          <Button color="inherit" size="small" onClick={forgetRefused}>
            {t('actAs.close')}
          </Button>
        </>
      }
    >
      {t(refused.kind === 'read' ? 'actAs.refusedRead' : 'actAs.refusedWrite')}{' '}
      <ForeignText isCode text={pathsOf(refused)} />
    </Alert>
  );
}

/** Places that are named; of a large change there are more. */
const MAX_NAMED = 3;

function pathsOf(act: RefusedAct): string {
  if (act.kind !== 'update') return act.path;
  const paths = Object.keys(Object(act.changes)).map((path) => `/${path}`);
  return `${paths.slice(0, MAX_NAMED).join(' ')}${paths.length > MAX_NAMED ? ' …' : ''}`;
}
