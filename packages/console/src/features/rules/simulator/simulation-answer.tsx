import { LineIndex } from '@hearth/core/rules/syntax/problems.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { RulesAnswer } from '../../../api/rules.ts';
import { rulesAddress } from '../../../session/addresses.ts';
import { useProjectId } from '../../../session/session.ts';
import { notify } from '../../../ui/notices.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { addCase, readCaseFile, writeCaseFile } from '../cases/case-file.ts';
import { EvaluatedRules } from '../trace/evaluated-rules.tsx';
import type { ReadQuestion } from './question.ts';

interface SimulationAnswerProps {
  readonly database: string;
  readonly answer: RulesAnswer;
  readonly question: ReadQuestion;
}

/** Shows the result of a simulation, and the evaluated rules. */
export function SimulationAnswer({ database, answer, question }: SimulationAnswerProps) {
  const { t } = useTranslation('rules');
  const project = useProjectId();
  const { isAllowed, deniedPath, rules, deciding, source } = answer;
  const index = deciding === null ? -1 : rules.findIndex((rule) => isSame(rule, deciding));
  const { operation, path, auth, ...rest } = question;
  function addToCases(): void {
    const before = readCaseFile(database);
    const after = addCase(before, {
      as: auth,
      [operation]: path,
      ...rest,
      expect: isAllowed ? 'allow' : 'deny',
    });
    if (after === undefined) notify({ kind: 'failed', text: t('cases.fileWrong') });
    else {
      writeCaseFile(database, after);
      notify({ kind: 'done', text: t('cases.added'), undo: () => writeCaseFile(database, before) });
    }
  }
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
      <Alert severity={isAllowed ? 'success' : 'error'}>
        <strong>{t(isAllowed ? 'simulator.allowed' : 'simulator.denied')}</strong>{' '}
        {deniedPath !== null && (
          <>
            {t(deciding?.kind === 'validate' ? 'simulator.invalidAt' : 'simulator.deniedAt')}{' '}
            <UntrustedText isCode text={deniedPath} />
          </>
        )}
      </Alert>
      <EvaluatedRules
        heading="h2"
        rules={rules.map((rule) => ({ ...rule, source }))}
        deciding={index === -1 ? null : index}
        isAllowed={isAllowed}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button onClick={addToCases}>{t('cases.make')}</Button>
        {deciding !== null && (
          <Button
            component={Link}
            to={`${rulesAddress(project, database)}?line=${new LineIndex(source).positionOf(deciding.step.span.start).line}`}
          >
            {t('simulator.goToRule')}
          </Button>
        )}
      </Box>
    </Box>
  );
}

function isSame(a: RulesAnswer['rules'][number], b: RulesAnswer['rules'][number]): boolean {
  return (
    a.kind === b.kind &&
    a.location === b.location &&
    a.place === b.place &&
    a.step.span.start === b.step.span.start
  );
}
