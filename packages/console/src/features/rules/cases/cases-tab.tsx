import type { EditorView } from '@codemirror/view';
import { parseCaseFile } from '@hearth/core/rules/cases/case-file.ts';
import ExportIcon from '@mui/icons-material/DataObjectOutlined';
import SaveIcon from '@mui/icons-material/DownloadOutlined';
import CoverageIcon from '@mui/icons-material/FactCheckOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { rulesAddress } from '../../../session/addresses.ts';
import { useProjectId } from '../../../session/session.ts';
import { saveFile } from '../../../ui/copy-and-save.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { Hint } from '../../../ui/tooltip.tsx';
import { CodeEditor, goToOffset } from '../code/code-editor.tsx';
import { RULES_LANGUAGE } from '../code/highlighting.ts';
import { checkDraft, ProblemList, problemMarks } from '../code/problems.tsx';
import { useCurrentRules, useDraft } from '../code/revisions.ts';
import { addCase, useCaseFile } from './case-file.ts';
import { CaseResults } from './case-results.tsx';
import { useCaseRun } from './run-cases.ts';
import { printUnitTests } from './unit-tests.ts';

interface CaseEditorProps {
  readonly database: string;
  /** The rules that the cases test. */
  readonly source: string;
  readonly isDraft: boolean;
}

const EXAMPLE = { name: 'anonymous callers cannot read', as: null, read: '/', expect: 'deny' };

/** The editor of the case file, next to the results, which update while the user types. */
export function CaseEditor({ database, source, isDraft }: CaseEditorProps) {
  const { t } = useTranslation('rules');
  const project = useProjectId();
  const { text, write } = useCaseFile(database);
  const { rules } = useMemo(() => checkDraft(source), [source]);
  const { run, text: ranText } = useCaseRun(rules, text);
  const view = useRef<EditorView | null>(null);
  const problems = run?.kind === 'wrong' ? run.problems : [];
  const extensions = useMemo(() => [RULES_LANGUAGE, problemMarks(ranText, problems)], [ranText, problems]);
  const go = (offset: number): void => goToOffset(view.current, offset);
  function exportTests(): void {
    const parsed = parseCaseFile(text);
    if (rules === null || parsed.kind === 'wrong') return;
    saveFile('rules.test.mjs', 'text/javascript', printUnitTests(rules, parsed.cases));
  }
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 20rem' }}>
          {t(isDraft ? 'cases.aboutDraft' : 'cases.about')}
        </Typography>
        <Button
          startIcon={<CoverageIcon />}
          component={Link}
          to={`${rulesAddress(project, database)}?coverage=shown`}
        >
          {t('cases.coverage')}
        </Button>
        <Button
          startIcon={<SaveIcon />}
          onClick={() => saveFile('rules.cases.json', 'application/json', text)}
        >
          {t('cases.save')}
        </Button>
        <Hint title={t('cases.exportHint')}>
          <span>
            <Button
              startIcon={<ExportIcon />}
              disabled={rules === null || run?.kind !== 'ran' || run.results.length === 0}
              onClick={exportTests}
            >
              {t('cases.exportTests')}
            </Button>
          </span>
        </Hint>
        <Button
          onClick={() => write(addCase(text, EXAMPLE) ?? text)}
          disabled={addCase(text, EXAMPLE) === undefined}
        >
          {t('cases.add')}
        </Button>
      </Box>
      <Box
        sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: { xs: 'column', md: 'row' }, gap: 2 }}
      >
        <Paper
          variant="outlined"
          sx={{
            flex: 1,
            minWidth: 0,
            minHeight: 240,
            display: 'flex',
            flexDirection: 'column',
            overflow: 'hidden',
          }}
        >
          <CodeEditor
            label={t('cases.label')}
            text={text}
            change={write}
            extensions={extensions}
            view={view}
          />
          <ProblemList checked={{ rules: null, problems, problemCount: problems.length }} go={go} />
        </Paper>
        <Box sx={{ flex: 1, minWidth: 0, overflowY: 'auto' }}>
          {rules === null ? (
            <Alert severity="warning">{t('cases.rulesWrong')}</Alert>
          ) : (
            run?.kind === 'ran' && <CaseResults run={run} source={rules.source} go={go} />
          )}
        </Box>
      </Box>
    </>
  );
}

interface CasesTabProps {
  readonly database: string;
}

/** Runs the test cases against the draft, or against the current rules if there is no draft. */
export function CasesTab({ database }: CasesTabProps) {
  const current = useCurrentRules(database);
  const { draft } = useDraft(database);
  return (
    <Loaded of={current}>
      {({ source }) => (
        <CaseEditor database={database} source={draft?.source ?? source} isDraft={draft !== null} />
      )}
    </Loaded>
  );
}
