import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Failure } from '../../../elements/failure.tsx';
import { useDraft } from '../edit/use-draft.ts';
import { QuestionFields } from './question-fields.tsx';
import {
  decodeQuestion,
  EMPTY_QUESTION,
  encodeQuestion,
  parseForm,
  type QuestionForm,
} from './question-form.ts';
import { SimulationAnswer } from './simulation-answer.tsx';
import { useSimulation } from './use-simulation.ts';

interface SimulatorTabProps {
  readonly database: string;
}

/** What rules say to an operation, tried on the present data without carrying it out, and why. */
export function SimulatorTab({ database }: SimulatorTabProps) {
  const { t } = useTranslation('rules');
  const [parameters, setParameters] = useSearchParams();
  const { draft } = useDraft(database);
  const [form, setForm] = useState<QuestionForm>(() => decodeQuestion(parameters) ?? EMPTY_QUESTION);
  const { simulation, ask } = useSimulation(database);
  const usesDraft = draft !== null && parameters.get('rules') !== 'in-force';
  const parsed = parseForm(form);
  const run = (): void => {
    if (parsed.kind === 'wrong') return;
    const asked = encodeQuestion(form);
    if (draft !== null && !usesDraft) asked.set('rules', 'in-force');
    setParameters(asked, { replace: true });
    ask({ question: parsed.question, source: usesDraft ? draft.source : undefined });
  };
  // An address that tells of a question is answered when it is opened.
  const start = useRef(decodeQuestion(parameters) === undefined ? undefined : run);
  useEffect(() => {
    start.current?.();
    start.current = undefined;
  }, []);
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(280px, 2fr) minmax(0, 3fr)' },
        gap: 3,
        alignItems: 'start',
      }}
    >
      <QuestionFields
        form={form}
        wrong={parsed.kind === 'wrong' ? parsed.fields : []}
        hasDraft={draft !== null}
        usesDraft={usesDraft}
        chooseRules={(draftToo) => {
          const chosen = new URLSearchParams(parameters);
          if (draftToo) chosen.delete('rules');
          else chosen.set('rules', 'in-force');
          setParameters(chosen, { replace: true });
        }}
        change={(change) => setForm({ ...form, ...change })}
        run={run}
        isRunning={simulation.kind === 'running'}
      />
      <Box component="section" aria-label={t('simulator.answer')} aria-live="polite" sx={{ minWidth: 0 }}>
        {simulation.kind === 'idle' && <Typography color="textSecondary">{t('simulator.about')}</Typography>}
        {simulation.kind === 'running' && <LinearProgress aria-label={t('simulator.running')} />}
        {simulation.kind === 'failed' && (
          <>
            <Failure error={simulation.error} retry={run} />
            {usesDraft && <Alert severity="info">{t('simulator.draftWrong')}</Alert>}
          </>
        )}
        {simulation.kind === 'ready' && (
          <SimulationAnswer database={database} answer={simulation.answer} question={simulation.question} />
        )}
      </Box>
    </Box>
  );
}
