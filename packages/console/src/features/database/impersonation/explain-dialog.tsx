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

/** Why rules decide as they do, with what each part of them comes to in its place: by the rules and the data of now. */
export function ExplainDialog({ database, question, close }: ExplainDialogProps) {
  const { t } = useTranslation('data');
  const titleId = useId();
  const api = useApi();
  const answer = useQuery({
    queryKey: ['data', database, 'explain', question],
    queryFn: () => explainRules(api, database, question),
    // Rules and data change at any time, and it is asked what they are now.
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog open onClose={close} aria-labelledby={titleId} maxWidth="md" fullWidth>
      <DialogTitle id={titleId}>
        {t(`actAs.explain.${question.operation}`)} <bdi dir="ltr">{question.path}</bdi>
      </DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        {/* Words that the answer needs and that are loaded with it must not take the dialog, and its focus, away. */}
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
