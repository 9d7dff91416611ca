import CloseIcon from '@mui/icons-material/Close';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { ForeignText } from '../../../elements/foreign-text.tsx';
import { Loaded } from '../../../elements/loaded.tsx';
import { TimeText } from '../../../elements/time-text.tsx';
import { tell } from '../../../notices/notices.ts';
import { rulesAddress } from '../../../routes/addresses.ts';
import type { WholeDenial } from '../../../server/rules-denials.ts';
import { useProjectId } from '../../../session/session.ts';
import { addCase } from '../cases/add-case.ts';
import { readCaseFile, writeCaseFile } from '../cases/use-case-file.ts';
import { useDraft } from '../edit/use-draft.ts';
import { encodeQuestion } from '../simulator/question-form.ts';
import { AskedRules } from '../trace/asked-rules.tsx';
import { caseOf } from './denial-case.ts';
import { DenialFacts } from './denial-facts.tsx';
import { questionOf } from './denial-question.ts';
import { useDenial, useDraftVerdict } from './use-denials.ts';

interface DenialDetailProps {
  readonly database: string;
  readonly id: number;
}

/** One denial: who asked for what, the rules that were asked, and what each part of them came to. */
export function DenialDetail({ database, id }: DenialDetailProps) {
  const { t } = useTranslation('rules');
  const project = useProjectId();
  const { search } = useLocation();
  const denial = useDenial(database, id);
  return (
    <Box
      component="section"
      aria-label={t('denials.one', { id })}
      sx={{ flex: 1, minWidth: 0, overflowY: { md: 'auto' } }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Typography variant="h2" sx={{ flex: 1 }}>
          {t('denials.one', { id })}
        </Typography>
        <IconButton
          aria-label={t('denials.close')}
          component={Link}
          to={`${rulesAddress(project, database, 'denials')}${search}`}
        >
          <CloseIcon />
        </IconButton>
      </Box>
      <Loaded of={denial}>{(whole) => <Detail database={database} denial={whole} />}</Loaded>
    </Box>
  );
}

function Detail({ database, denial }: { readonly database: string; readonly denial: WholeDenial }) {
  const { t } = useTranslation('rules');
  const project = useProjectId();
  const { draft } = useDraft(database);
  const verdict = useDraftVerdict(database, denial.id, draft?.source);
  function keep(): void {
    const before = readCaseFile(database);
    const after = addCase(before, caseOf(denial));
    if (after === undefined) tell({ kind: 'failed', text: t('cases.fileWrong') });
    else {
      writeCaseFile(database, after);
      tell({ kind: 'done', text: t('cases.added'), undo: () => writeCaseFile(database, before) });
    }
  }
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
      <Typography variant="body2" color="textSecondary" component="div">
        <TimeText ms={denial.timeMs} />
      </Typography>
      <DenialFacts denial={denial} />
      {denial.cut !== 'nothing' && <Alert severity="info">{t(`denials.cut.${denial.cut}`)}</Alert>}
      {verdict !== undefined && (
        <Alert severity={verdict.isAllowed ? 'warning' : 'info'}>
          {t(verdict.isAllowed ? 'denials.draftAllows' : 'denials.draftDenies')}
          {verdict.basis !== 'values' && ` ${t('denials.notSure')}`}
        </Alert>
      )}
      <AskedRules
        heading="h3"
        rules={denial.rules.map((rule) => ({ ...rule, source: rule.text }))}
        deciding={denial.deciding}
        isAllowed={false}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button
          variant="contained"
          component={Link}
          to={`${rulesAddress(project, database, 'simulator')}?${encodeQuestion(questionOf(denial))}`}
        >
          {t('denials.simulate')}
        </Button>
        <Button onClick={keep}>{t('cases.make')}</Button>
      </Box>
      {denial.values === null && (
        <Typography variant="body2" color="textSecondary">
          {t('denials.noValues')}
        </Typography>
      )}
      {denial.rules.length === 0 && denial.paths[0] !== undefined && (
        <Typography variant="body2">
          {t('denials.grantHint')} <ForeignText isCode text={denial.paths[0]} />
        </Typography>
      )}
    </Box>
  );
}
