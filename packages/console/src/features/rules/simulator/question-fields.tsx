import RunIcon from '@mui/icons-material/PlayArrowOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { ChoiceButtons } from '../../../elements/choice-buttons.tsx';
import { MONOSPACE } from '../../../theme.ts';
import { AuthField } from './auth-field.tsx';
import { type FormField, OPERATIONS, type QuestionForm } from './question-form.ts';

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

/** What the simulator is asked: who does what, where, and by which rules. */
export function QuestionFields({ form, wrong, change, ...props }: QuestionFieldsProps) {
  const { t } = useTranslation('rules');
  const isRead = form.operation === 'read';
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
          slotProps={{ htmlInput: CODE }}
        />
      </Box>
      <AuthField auth={form.auth} isWrong={wrong.includes('auth')} change={(auth) => change({ auth })} />
      {isRead ? (
        <TextField
          multiline
          maxRows={8}
          label={t('simulator.query')}
          value={form.query}
          placeholder={QUERY_EXAMPLE}
          error={wrong.includes('query')}
          helperText={wrong.includes('query') ? t('simulator.noJson') : t('simulator.queryHint')}
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
          helperText={
            wrong.includes('value')
              ? t('simulator.noJson')
              : t(form.operation === 'update' ? 'simulator.updateHint' : 'simulator.valueHint')
          }
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
              { id: 'in-force', title: t('edit.inForce') },
            ]}
            choose={(rules) => props.chooseRules(rules === 'draft')}
          />
        )}
      </Box>
    </Box>
  );
}
