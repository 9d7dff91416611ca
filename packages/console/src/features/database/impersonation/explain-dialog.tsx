import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { loadableOf } from '../../../api/query-state.ts';
import { explainRules } from '../../../api/rules.ts';
import { useApi } from '../../../session/session.ts';
import { Loaded, LoadingBar } from '../../../ui/states.tsx';
import type { ReadQuestion } from '../../rules/simulator/question.ts';
import { SimulationAnswer } from '../../rules/simulator/simulation-answer.tsx';

interface ExplainDialogProps {
  readonly database: string;
  readonly question: ReadQuestion;
  readonly close: () => void;
}

/** Explains a rule decision with the value of each expression. Evaluates the current rules with the current data. */
export function ExplainDialog({ database, question, close }: ExplainDialogProps) {
  const { t } = useTranslation('data');
  const titleId = useId();
  const api = useApi();
  const answer = useQuery({
    queryKey: ['data', database, 'explain', question],
    queryFn: () => explainRules(api, database, question),
    // Rules and data can change at any time, so each opening of the dialog evaluates them again.
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog open onClose={close} aria-labelledby={titleId} maxWidth="md" fullWidth>
      <DialogTitle id={titleId}>
        {t(`actAs.explain.${question.operation}`)} <bdi dir="ltr">{question.path}</bdi>
      </DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        {/* The texts of the answer are loaded on demand. Without this boundary the dialog would unmount and lose the focus. */}
        <Suspense fallback={<LoadingBar />}>
          <Loaded of={loadableOf(answer)}>
            {(given) => (
              <>
                {given.isAllowed && <Typography>{t('actAs.allowedNow')}</Typography>}
                <SimulationAnswer database={database} answer={given} question={question} />
              </>
            )}
          </Loaded>
        </Suspense>
      </DialogContent>
      <DialogActions>
        <Button onClick={close} autoFocus>
          {t('actAs.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
