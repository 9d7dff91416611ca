import CloseIcon from '@mui/icons-material/Close';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import type { WholeDenial } from '../../../api/denials.ts';
import { rulesAddress } from '../../../session/addresses.ts';
import { useProjectId } from '../../../session/session.ts';
import { CopyButton } from '../../../ui/copy-and-save.tsx';
import { notify } from '../../../ui/notices.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { TimeText } from '../../../ui/time-text.tsx';
import { addCase, readCaseFile, writeCaseFile } from '../cases/case-file.ts';
import { useDraft } from '../code/revisions.ts';
import { usePrintIdentity } from '../names.ts';
import { encodeQuestion } from '../simulator/question.ts';
import { EvaluatedRules } from '../trace/evaluated-rules.tsx';
import { caseOf, questionOf } from './denial-question.ts';
import { ProposalSection } from './proposal.tsx';
import { useDenial, useDraftDecision } from './use-denials.ts';

interface DenialFactsProps {
  readonly denial: WholeDenial;
}

/** Shows the principal and the operation of a denial. */
function DenialFacts({ denial }: DenialFactsProps) {
  const { t } = useTranslation('rules');
  const printIdentity = usePrintIdentity();
  const { operation, paths, pathCount, identity, query } = denial;
  const parameters = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== false);
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [t('denials.operation'), <UntrustedText key="operation" isCode text={operation} />],
    [
      t('denials.places', { count: pathCount }),
      <Fragment key="places">
        {paths.map((path) => (
          <div key={path}>
            <UntrustedText isCode text={path} />
          </div>
        ))}
        {pathCount > paths.length && t('denials.morePaths', { count: pathCount - paths.length })}
      </Fragment>,
    ],
    [
      t('denials.who'),
      identity.kind === 'guest' ? (
        printIdentity(identity)
      ) : (
        <details key="who">
          <Box component="summary" sx={{ cursor: 'pointer' }}>
            <bdi>{printIdentity(identity)}</bdi>
          </Box>
          <UntrustedText
            isCode
            text={typeof identity.auth === 'string' ? identity.auth : JSON.stringify(identity.auth)}
          />
        </details>
      ),
    ],
    ...(parameters.length === 0
      ? []
      : [
          [
            t('denials.query'),
            <UntrustedText key="query" isCode text={JSON.stringify(Object.fromEntries(parameters))} />,
          ] as const,
        ]),
  ];
  return (
    <Box
      component="dl"
      sx={{
        margin: 0,
        display: 'grid',
        gridTemplateColumns: 'auto minmax(0, 1fr)',
        columnGap: 2,
        rowGap: 0.5,
      }}
    >
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {name}
          </Typography>
          <Typography component="dd" variant="body2" sx={{ margin: 0 }}>
            {value}
          </Typography>
        </Fragment>
      ))}
    </Box>
  );
}

interface DenialDetailProps {
  readonly database: string;
  readonly id: number;
}

/** Shows a denial: the principal, the operation, and the evaluated rules with the value of each part. */
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
        <CopyButton text={linkTo(project, database, id)} label={t('denials.copyLink')} />
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

/** Returns the address of a denial without the filter of the list, which can contain a user ID and a path. */
function linkTo(project: string, database: string, id: number): string {
  return `${location.origin}/console${rulesAddress(project, database, 'denials')}/${id}`;
}

function Detail({ database, denial }: { readonly database: string; readonly denial: WholeDenial }) {
  const { t } = useTranslation('rules');
  const project = useProjectId();
  const { draft } = useDraft(database);
  const decision = useDraftDecision(database, denial.id, draft?.source);
  function addToCases(): void {
    const added = caseOf(denial);
    if (added === undefined) {
      notify({ kind: 'failed', text: t('cases.notRecorded') });
      return;
    }
    const before = readCaseFile(database);
    const after = addCase(before, added);
    if (after === undefined) notify({ kind: 'failed', text: t('cases.fileWrong') });
    else {
      writeCaseFile(database, after);
      notify({ kind: 'done', text: t('cases.added'), undo: () => writeCaseFile(database, before) });
    }
  }
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
      <Typography variant="body2" color="textSecondary" component="div">
        <TimeText ms={denial.timeMs} />
      </Typography>
      <DenialFacts denial={denial} />
      {denial.cut !== 'nothing' && <Alert severity="info">{t(`denials.cut.${denial.cut}`)}</Alert>}
      {decision !== undefined && (
        <Alert severity={decision.isAllowed ? 'warning' : 'info'}>
          {t(decision.isAllowed ? 'denials.draftAllows' : 'denials.draftDenies')}
          {decision.basis !== 'values' && ` ${t('denials.notSure')}`}
        </Alert>
      )}
      <EvaluatedRules
        heading="h3"
        rules={denial.rules.map((rule) => ({ ...rule, source: rule.text }))}
        deciding={denial.deciding}
        isAllowed={false}
      />
      <ProposalSection database={database} id={denial.id} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button
          variant="contained"
          component={Link}
          to={`${rulesAddress(project, database, 'simulator')}?${encodeQuestion(questionOf(denial), denial.id)}`}
        >
          {t('denials.simulate')}
        </Button>
        <Button onClick={addToCases}>{t('cases.make')}</Button>
      </Box>
      {denial.values === null && (
        <Typography variant="body2" color="textSecondary">
          {t('denials.noValues')}
        </Typography>
      )}
      {denial.rules.length === 0 && denial.paths[0] !== undefined && (
        <Typography variant="body2">
          {t('denials.grantHint')} <UntrustedText isCode text={denial.paths[0]} />
        </Typography>
      )}
    </Box>
  );
}
