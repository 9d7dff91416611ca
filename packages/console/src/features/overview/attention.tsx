import NoProblemIcon from '@mui/icons-material/CheckCircleOutlined';
import ErrorIcon from '@mui/icons-material/ErrorOutlined';
import InfoIcon from '@mui/icons-material/InfoOutlined';
import WarningIcon from '@mui/icons-material/WarningAmberOutlined';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { Loadable } from '../../api/query-state.ts';
import { areaAddress, rulesAddress } from '../../session/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { CodeText, PART, showControls, TextWithPart } from '../../ui/text.tsx';
import { printFigure } from '../activity/figures.ts';
import { Part, Row, RowList } from './part.tsx';
import { type Problem, SEVERITIES, type Severity } from './problems.ts';
import { useProblems } from './use-problems.ts';

const ICONS = { error: ErrorIcon, warning: WarningIcon, info: InfoIcon } as const satisfies Record<
  Severity,
  unknown
>;

interface AttentionProps {
  readonly database: string;
}

/** Shows the problems of a database, its project and the server. */
export function Attention({ database }: AttentionProps) {
  return <AttentionView database={database} problems={useProblems(database)} />;
}

interface AttentionViewProps extends AttentionProps {
  readonly problems: Loadable<readonly Problem[]>;
}

export function AttentionView({ database, problems }: AttentionViewProps) {
  const { t } = useTranslation('overview');
  return (
    <Part title={t('attention.title')} of={problems}>
      {(list) =>
        list.length === 0 ? (
          <Typography
            color="textSecondary"
            sx={{ display: 'flex', alignItems: 'center', gap: 1.5, paddingBlock: 1 }}
          >
            <NoProblemIcon color="success" fontSize="small" aria-hidden />
            {t('attention.none')}
          </Typography>
        ) : (
          <RowList label={t('attention.title')}>
            {list.map((problem) => (
              <ProblemRow key={problem.kind} database={database} problem={problem} />
            ))}
          </RowList>
        )
      }
    </Part>
  );
}

interface ProblemRowProps extends AttentionProps {
  readonly problem: Problem;
}

function ProblemRow({ database, problem }: ProblemRowProps) {
  const { t } = useTranslation('overview');
  const project = useProjectId();
  const severity = SEVERITIES[problem.kind];
  const Icon = ICONS[severity];
  return (
    <Row
      icon={
        <Icon
          fontSize="small"
          titleAccess={t(`attention.severity.${severity}`)}
          sx={{ color: severity === 'info' ? 'text.secondary' : `${severity}.main` }}
        />
      }
      address={addressOf(problem, project, database)}
    >
      <Sentence problem={problem} />
    </Row>
  );
}

/** Returns the address of the view that shows a problem in detail. */
function addressOf({ kind }: Problem, project: string, database: string): string {
  const activity = areaAddress(project, 'activity');
  switch (kind) {
    case 'open-rules':
    case 'no-rules':
      return rulesAddress(project, database);
    case 'denials':
      return rulesAddress(project, database, 'denials');
    case 'unindexed':
      return `${activity}/queries?${new URLSearchParams({ database })}`;
    case 'alerts':
      return `${activity}/alerts`;
    case 'disk':
    case 'event-loop':
      return `${activity}/server`;
    case 'mails':
      return `${areaAddress(project, 'sign-in')}/mail`;
    default:
      return kind satisfies never;
  }
}

interface SentenceProps {
  readonly problem: Problem;
}

/** Describes a problem in one sentence. */
function Sentence({ problem }: SentenceProps) {
  const { t, i18n } = useTranslation('overview');
  const { language } = i18n;
  switch (problem.kind) {
    case 'open-rules': {
      if (!problem.isWriteOpen) return t('attention.openReads');
      return t(problem.isReadOpen ? 'attention.open' : 'attention.openWrites');
    }
    case 'no-rules':
      return t('attention.noRules');
    case 'alerts': {
      const names = problem.alerts.map((alert) => t(`attention.alert.${alert}`));
      return t('attention.alerts', { names: new Intl.ListFormat(language).format(names) });
    }
    case 'disk': {
      const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
      return t('attention.disk', { share: percent.format(problem.freeShare) });
    }
    case 'denials': {
      const { rule, isMore } = problem;
      const { count, number } = printCount(problem.count, language);
      const amount = { count, number: isMore ? `${number}+` : number };
      if (rule === null) return t('attention.denialsNoRule', amount);
      return (
        <TextWithPart text={t('attention.denials', { ...amount, rule: PART })}>
          <CodeText>{showControls(`.${rule.kind} ${rule.location}`)}</CodeText>
        </TextWithPart>
      );
    }
    case 'unindexed':
      return t('attention.unindexed', printCount(problem.count, language));
    case 'event-loop':
      return t('attention.eventLoop', { time: printFigure(problem.delayMs, 'ms', language) });
    case 'mails':
      return t('attention.mails', printCount(problem.count, language));
    default:
      return problem satisfies never;
  }
}

function printCount(count: number, language: string): { readonly count: number; readonly number: string } {
  return { count, number: new Intl.NumberFormat(language).format(count) };
}
