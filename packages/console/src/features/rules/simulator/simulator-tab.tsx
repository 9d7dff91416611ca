import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import RunIcon from '@mui/icons-material/PlayArrowOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import { explainRules, type RulesAnswer } from '../../../api/rules.ts';
import { useApi } from '../../../session/session.ts';
import { ChoiceButtons } from '../../../ui/choice-buttons.tsx';
import { Failure, Loaded } from '../../../ui/states.tsx';
import { TimeText } from '../../../ui/time-text.tsx';
import { useDraft } from '../code/revisions.ts';
import { questionOf } from '../denials/denial-question.ts';
import { useDenial } from '../denials/use-denials.ts';
import { AuthField } from './auth-field.tsx';
import {
  decodeQuestion,
  EMPTY_QUESTION,
  encodeQuestion,
  type FormField,
  OPERATIONS,
  parseForm,
  type QuestionForm,
  type ReadQuestion,
} from './question.ts';
import { SimulationAnswer } from './simulation-answer.tsx';

interface QuestionFieldsProps {
  readonly form: QuestionForm;
  readonly wrong: readonly FormField[];
  readonly hasDraft: boolean;
  readonly usesDraft: boolean;
  readonly chooseRules: (usesDraft: boolean) => void;
  readonly change: (change: Partial<QuestionForm>) => void;
  readonly run: () => void;
  readonly isRunning: boolean;
}

const CODE = { dir: 'ltr', spellCheck: false, style: { fontFamily: MONOSPACE, fontSize: 13 } } as const;
const QUERY_EXAMPLE = '{"orderByChild": "owner", "equalTo": "alice"}';

/** The form of the simulator: principal, operation, path, and the rules to evaluate. */
export function QuestionFields({ form, wrong, change, ...props }: QuestionFieldsProps) {
  const { t } = useTranslation('rules');
  const isRead = form.operation === 'read';
  function explain(
    field: FormField,
    hint: 'simulator.queryHint' | 'simulator.updateHint' | 'simulator.valueHint',
  ): string {
    if (form.omitted.includes(field)) return t('simulator.omitted');
    return t(wrong.includes(field) ? 'simulator.noJson' : hint);
  }
  return (
    <Box
      component="form"
      aria-label={t('simulator.question')}
      onSubmit={(event) => {
        event.preventDefault();
        props.run();
      }}
      sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}
    >
      <Box sx={{ display: 'flex', gap: 1 }}>
        <TextField
          select
          label={t('simulator.operation')}
          value={form.operation}
          onChange={({ target }) => {
            const operation = OPERATIONS.find((known) => known === target.value);
            if (operation !== undefined) change({ operation });
          }}
          sx={{ minWidth: 130 }}
        >
          {OPERATIONS.map((operation) => (
            <MenuItem key={operation} value={operation}>
              {t(`simulator.operations.${operation}`)}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          fullWidth
          label={t('simulator.path')}
          value={form.path}
          onChange={(event) => change({ path: event.target.value })}
          slotProps={{ htmlInput: { ...CODE, style: { ...CODE.style, height: '1.4375rem' } } }}
        />
      </Box>
      <AuthField
        auth={form.auth}
        isOmitted={form.omitted.includes('auth')}
        isWrong={wrong.includes('auth')}
        change={(auth) => change({ auth })}
      />
      {isRead ? (
        <TextField
          multiline
          maxRows={8}
          label={t('simulator.query')}
          value={form.query}
          placeholder={QUERY_EXAMPLE}
          error={wrong.includes('query')}
          helperText={explain('query', 'simulator.queryHint')}
          onChange={(event) => change({ query: event.target.value })}
          slotProps={{ htmlInput: CODE }}
        />
      ) : (
        <TextField
          multiline
          minRows={3}
          maxRows={14}
          label={t('simulator.value')}
          value={form.value}
          error={wrong.includes('value')}
          helperText={explain(
            'value',
            form.operation === 'update' ? 'simulator.updateHint' : 'simulator.valueHint',
          )}
          onChange={(event) => change({ value: event.target.value })}
          slotProps={{ htmlInput: CODE }}
        />
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Button
          type="submit"
          variant="contained"
          startIcon={<RunIcon />}
          loading={props.isRunning}
          loadingPosition="start"
          disabled={wrong.length > 0}
        >
          {t('simulator.run')}
        </Button>
        {props.hasDraft && (
          <ChoiceButtons
            label={t('simulator.rules')}
            chosen={props.usesDraft ? 'draft' : 'in-force'}
            choices={[
              { id: 'draft', title: t('edit.draft') },
              { id: 'in-force', title: t('edit.current') },
            ]}
            choose={(rules) => props.chooseRules(rules === 'draft')}
          />
        )}
      </Box>
    </Box>
  );
}

/** State and result of a simulation. */
export type Simulation =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'ready'; readonly answer: RulesAnswer; readonly question: ReadQuestion };

interface SimulationRequest {
  readonly question: ReadQuestion;
  /** The rules to evaluate; `undefined` for the current ones. */
  readonly source: string | undefined;
}

/**
 * Returns a function that evaluates rules for an operation on the current data without writing, and the state of the
 * evaluation.
 */
export function useSimulation(database: string): {
  readonly simulation: Simulation;
  simulate(request: SimulationRequest): void;
} {
  const api = useApi();
  const { status, data, error, variables, mutate } = useMutation({
    mutationFn: ({ question, source }: SimulationRequest) =>
      explainRules(api, database, { ...question, ...(source === undefined ? {} : { source }) }),
  });
  return { simulation: read(), simulate: mutate };
  function read(): Simulation {
    switch (status) {
      case 'pending':
        return { kind: 'running' };
      case 'error':
        return { kind: 'failed', error };
      case 'success':
        return { kind: 'ready', answer: data, question: variables.question };
      default:
        return { kind: 'idle' };
    }
  }
}

interface SimulatorTabProps {
  readonly database: string;
}

/** The simulator: evaluates rules for an operation without performing it, and explains the result. */
export function SimulatorTab({ database }: SimulatorTabProps) {
  const [parameters] = useSearchParams();
  const { state } = useLocation();
  // Each run replaces the address and what the history stores. The operation of the first render is already in the form.
  const [{ denial, kept }] = useState(() => ({ denial: parameters.get('denial'), kept: readKept(state) }));
  if (denial !== null && kept === undefined)
    return <DenialSimulator database={database} id={Number(denial)} />;
  return (
    <Simulator database={database} first={kept?.form ?? decodeQuestion(parameters)} denied={kept?.denied} />
  );
}

/** A denied operation. */
interface Denied {
  readonly id: number;
  readonly timeMs: number;
}

/** The fields of the simulator that only the history of the tab stores, because the address must not contain them. */
interface Kept {
  readonly form: QuestionForm;
  /** The denial that the form is from, unless the user has changed it since. */
  readonly denied: Denied | undefined;
}

function readKept(state: unknown): Kept | undefined {
  return typeof state === 'object' && state !== null && 'simulator' in state
    ? (state.simulator as Kept)
    : undefined;
}

/** The simulator with the operation of a denial. */
function DenialSimulator({ database, id }: { readonly database: string; readonly id: number }) {
  const denial = useDenial(database, id);
  return (
    <Loaded of={denial}>
      {(whole) => (
        <Simulator database={database} first={questionOf(whole)} denied={{ id, timeMs: whole.timeMs }} />
      )}
    </Loaded>
  );
}

interface SimulatorProps {
  readonly database: string;
  /** The operation to evaluate first; `undefined` for none. */
  readonly first: QuestionForm | undefined;
  /** The denial that `first` is from. */
  readonly denied: Denied | undefined;
}

function Simulator({ database, first, denied: firstDenied }: SimulatorProps) {
  const { t } = useTranslation('rules');
  const [parameters, setParameters] = useSearchParams();
  const { state } = useLocation();
  const { draft } = useDraft(database);
  const [form, setForm] = useState(first ?? EMPTY_QUESTION);
  const [denied, setDenied] = useState(firstDenied);
  const { simulation, simulate } = useSimulation(database);
  const usesDraft = draft !== null && parameters.get('rules') !== 'in-force';
  const parsed = parseForm(form);
  const run = (): void => {
    if (parsed.kind === 'wrong') return;
    const address = encodeQuestion(form, denied?.id);
    if (draft !== null && !usesDraft) address.set('rules', 'in-force');
    const kept: Kept = { form, denied };
    setParameters(address, { replace: true, state: { simulator: kept } });
    simulate({ question: parsed.question, source: usesDraft ? draft.source : undefined });
  };
  // An address with an operation is simulated when it is opened.
  const start = useRef(first === undefined ? undefined : run);
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
        chooseRules={(isDraft) => {
          const chosen = new URLSearchParams(parameters);
          if (isDraft) chosen.delete('rules');
          else chosen.set('rules', 'in-force');
          setParameters(chosen, { replace: true, state });
        }}
        change={(change) => {
          setForm({ ...form, ...change, omitted: form.omitted.filter((field) => !(field in change)) });
          setDenied(undefined);
        }}
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
        {simulation.kind === 'ready' && simulation.answer.isAllowed && denied !== undefined && (
          <Alert severity="warning" sx={{ marginBlockEnd: 2 }}>
            {t('simulator.wasDenied')} <TimeText ms={denied.timeMs} />
          </Alert>
        )}
        {simulation.kind === 'ready' && (
          <SimulationAnswer database={database} answer={simulation.answer} question={simulation.question} />
        )}
      </Box>
    </Box>
  );
}
