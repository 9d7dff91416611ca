import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type Proposal, proposeRules } from '../../../api/denials.ts';
import { loadableOf } from '../../../api/query-state.ts';
import { rulesAddress } from '../../../session/addresses.ts';
import { useApi, useProjectId } from '../../../session/session.ts';
import { notify } from '../../../ui/notices.tsx';
import { Failure, Loaded } from '../../../ui/states.tsx';
import { showControls, UntrustedText } from '../../../ui/text.tsx';
import { type Draft, draftOf, useCurrentRules, useDraft } from '../code/revisions.ts';
import { ReplayChanges } from '../editor/replay-review.tsx';
import { printRuleName } from '../names.ts';

interface ProposalSectionProps {
  readonly database: string;
  readonly id: number;
}

/** Proposes a change of the rules that would allow a denied operation, when the user asks for it. */
export function ProposalSection({ database, id }: ProposalSectionProps) {
  const { t } = useTranslation('rules');
  const titleId = useId();
  const [isWanted, setIsWanted] = useState(false);
  return (
    <Box component="section" aria-labelledby={titleId}>
      <Typography id={titleId} variant="h3" gutterBottom>
        {t('proposal.title')}
      </Typography>
      {isWanted ? (
        <Base database={database} id={id} />
      ) : (
        <Button variant="outlined" onClick={() => setIsWanted(true)}>
          {t('proposal.find')}
        </Button>
      )}
    </Box>
  );
}

/** Loads the rules that the proposal changes: the draft, or the published rules. */
function Base({ database, id }: ProposalSectionProps) {
  const { draft } = useDraft(database);
  const current = useCurrentRules(database);
  return (
    <Loaded of={current}>
      {({ id: version, source }) => (
        <Proposed database={database} id={id} base={draft ?? { source, basedOn: version }} />
      )}
    </Loaded>
  );
}

interface ProposedProps extends ProposalSectionProps {
  readonly base: Draft;
}

function Proposed({ database, id, base }: ProposedProps) {
  const { t } = useTranslation('rules');
  const api = useApi();
  const proposal = loadableOf(
    useQuery({
      queryKey: ['denials', database, id, 'proposal', base.source],
      queryFn: ({ signal }) => proposeRules(api, database, id, base.source, signal),
      gcTime: 0,
    }),
  );
  switch (proposal.kind) {
    case 'loading':
      return (
        <Box>
          <Typography variant="body2">{t('proposal.finding')}</Typography>
          <LinearProgress aria-label={t('proposal.finding')} />
        </Box>
      );
    case 'ready':
      return proposal.data.kind === 'none' ? (
        <Alert severity="info">{t(`proposal.none.${proposal.data.reason}`)}</Alert>
      ) : (
        <DraftProposal database={database} base={base} proposal={proposal.data} />
      );
    case 'forbidden':
      return <Loaded of={proposal}>{() => null}</Loaded>;
    default:
      return <Failure error={proposal.error} retry={proposal.retry} />;
  }
}

interface DraftProposalProps {
  readonly database: string;
  readonly base: Draft;
  readonly proposal: Extract<Proposal, { readonly kind: 'draft' }>;
}

/** Shows a proposed change and what else it allows, and opens it in the editor. */
function DraftProposal({ database, base, proposal }: DraftProposalProps) {
  const { t, i18n } = useTranslation('rules');
  const project = useProjectId();
  const navigate = useNavigate();
  const { draft, write } = useDraft(database);
  const { changes, isValueKnown, source, effect } = proposal;
  const { report, ofUser, ofOthers } = effect;
  const number = (count: number): string => count.toLocaleString(i18n.language);
  /** Replaces the draft. The undo can itself be undone, so that text written in between is not lost. */
  function replaceDraft(next: Draft | null, text: string): void {
    const replaced = draftOf(database);
    write(next);
    notify({ kind: 'done', text, undo: () => replaceDraft(replaced, t('edit.discarded')) });
  }
  function open(): void {
    replaceDraft({ source, basedOn: base.basedOn }, t('proposal.opened'));
    void navigate(rulesAddress(project, database));
  }
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1, alignItems: 'flex-start' }}>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, maxWidth: '100%' }}>
        {changes.map((change) => (
          <Box component="li" key={`${change.kind} ${change.location}`} sx={{ marginBlockEnd: 1 }}>
            <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
              {t(change.kind === 'validate' ? 'proposal.field' : 'proposal.allow', {
                rule: `\u2068${showControls(change.kind === 'validate' ? change.location : printRuleName(change))}\u2069`,
              })}
            </Typography>
            <UntrustedText isCode text={change.condition} />
          </Box>
        ))}
      </Box>
      <Alert severity={ofOthers > 0 ? 'warning' : 'info'} sx={{ alignSelf: 'stretch' }}>
        {report.operations === 0
          ? t('proposal.noTraffic')
          : t('proposal.effect', {
              total: number(report.operations),
              user: number(ofUser),
              others: number(ofOthers),
            })}
        {!isValueKnown && ` ${t('proposal.valueUnknown')}`}
        {draft !== null && ` ${t('proposal.extendsDraft')}`}
      </Alert>
      <ReplayChanges report={report} />
      <Button variant="contained" onClick={open}>
        {t('proposal.open')}
      </Button>
    </Box>
  );
}
