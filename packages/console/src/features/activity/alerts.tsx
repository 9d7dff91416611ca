import {
  ALERT_KINDS,
  type AlertKind,
  type AlertSettings,
  type AlertState,
  MAX_THRESHOLDS,
  type ProjectAlerts,
} from '@hearth/core/api/alerts.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeAlerts, readAlerts } from '../../api/activity.ts';
import { loadableOf } from '../../api/query-state.ts';
import { useApi, useProjectId, useRights } from '../../session/session.ts';
import { CopyButton } from '../../ui/copy-and-save.tsx';
import { notify } from '../../ui/notices.tsx';
import { Row, RowList } from '../../ui/sections.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import { CodeText } from '../../ui/text.tsx';
import { TimeText } from '../../ui/time-text.tsx';

const REFRESH_MS = 10_000;

/** Shows the state of the alerts of the project, and lets owners change them. */
export function AlertsSection() {
  const { t } = useTranslation('activity');
  const api = useApi();
  const project = useProjectId();
  const query = useQuery({
    queryKey: ['alerts', project],
    queryFn: () => readAlerts(api, project),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <Typography color="textSecondary">{t('alerts.about')}</Typography>
      <Loaded of={loadableOf(query)}>{(alerts) => <AlertsForm key={project} alerts={alerts} />}</Loaded>
    </>
  );
}

interface AlertsFormProps {
  readonly alerts: ProjectAlerts;
}

/** What the user has typed. An empty text is no threshold, or no webhook. */
interface Typed {
  readonly thresholds: Readonly<Record<AlertKind, string>>;
  readonly mailsOwners: boolean;
  readonly webhook: string;
}

function typedOf({ thresholds, mailsOwners, webhook }: AlertSettings): Typed {
  const texts = ALERT_KINDS.map((kind) => [kind, String(thresholds[kind] ?? '')]);
  return { thresholds: Object.fromEntries(texts), mailsOwners, webhook: webhook ?? '' };
}

function settingsOf({ thresholds, mailsOwners, webhook }: Typed): AlertSettings {
  const set = ALERT_KINDS.filter((kind) => thresholds[kind] !== '');
  return {
    thresholds: Object.fromEntries(set.map((kind) => [kind, Number(thresholds[kind])])),
    mailsOwners,
    webhook: webhook.trim() === '' ? null : webhook.trim(),
  };
}

function AlertsForm({ alerts }: AlertsFormProps) {
  const { t } = useTranslation('activity');
  const { mayOwn } = useRights();
  const api = useApi();
  const project = useProjectId();
  const client = useQueryClient();
  const [typed, setTyped] = useState(() => typedOf(alerts.settings));
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const [secret, setSecret] = useState<string | null>(null);
  async function save(): Promise<void> {
    setIsRunning(true);
    try {
      const { secret: made, ...changed } = await changeAlerts(api, project, settingsOf(typed));
      client.setQueryData(['alerts', project], changed);
      setTyped(typedOf(changed.settings));
      setSecret(made);
      setError(undefined);
      notify({ kind: 'done', text: t('alerts.saved') });
    } catch (cause) {
      setError(cause);
    } finally {
      setIsRunning(false);
    }
  }
  return (
    <Box
      component="form"
      aria-label={t('section.alerts')}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      sx={{ display: 'flex', flexDirection: 'column', gap: 2, maxWidth: '44rem' }}
    >
      <RowList>
        {ALERT_KINDS.map((kind) => (
          <AlertRow
            key={kind}
            kind={kind}
            state={alerts.alerts.find((state) => state.kind === kind)}
            typed={typed.thresholds[kind]}
            isDisabled={!mayOwn}
            change={(text) => setTyped({ ...typed, thresholds: { ...typed.thresholds, [kind]: text } })}
          />
        ))}
      </RowList>
      <FormControlLabel
        control={
          <Switch
            checked={typed.mailsOwners}
            disabled={!mayOwn}
            onChange={(_event, mailsOwners) => setTyped({ ...typed, mailsOwners })}
          />
        }
        label={t('alerts.mailsOwners')}
      />
      <TextField
        type="url"
        label={t('alerts.webhook')}
        helperText={t('alerts.webhookHint')}
        value={typed.webhook}
        disabled={!mayOwn}
        onChange={({ target }) => setTyped({ ...typed, webhook: target.value })}
        slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false } }}
      />
      {secret !== null && (
        <Alert severity="info" action={<CopyButton text={secret} label={t('alerts.copySecret')} />}>
          {t('alerts.secret')} <CodeText>{secret}</CodeText>
        </Alert>
      )}
      {error !== undefined && <Failure error={error} />}
      {mayOwn ? (
        <Button type="submit" variant="contained" loading={isRunning} sx={{ alignSelf: 'start' }}>
          {t('alerts.save')}
        </Button>
      ) : (
        <Typography color="textSecondary">{t('alerts.owners')}</Typography>
      )}
    </Box>
  );
}

interface AlertRowProps {
  readonly kind: AlertKind;
  /** `undefined` without a threshold. */
  readonly state: AlertState | undefined;
  readonly typed: string;
  readonly isDisabled: boolean;
  readonly change: (text: string) => void;
}

/** Shows a figure, its threshold, and whether the alert is raised. */
function AlertRow({ kind, state, typed, isDisabled, change }: AlertRowProps) {
  const { t, i18n } = useTranslation('activity');
  const { value = null, isRaised = false, sinceMs = null } = state ?? {};
  return (
    <Row columns={{ sm: 'minmax(0, 1fr) 11rem' }}>
      <Box>
        <Typography component="h2" variant="body1" sx={{ fontWeight: 600 }}>
          {t(`alerts.kind.${kind}`)}
        </Typography>
        {state !== undefined && (
          <Box
            sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, marginBlockStart: 0.5 }}
          >
            <Chip
              size="small"
              variant="outlined"
              color={isRaised ? 'error' : 'success'}
              label={t(isRaised ? 'alerts.raised' : 'alerts.quiet')}
            />
            <Typography component="span" variant="body2" color="textSecondary">
              {value !== null &&
                t('alerts.now', { value: new Intl.NumberFormat(i18n.language).format(value) })}
              {isRaised && sinceMs !== null && (
                <>
                  {' · '}
                  <TimeText ms={sinceMs} />
                </>
              )}
            </Typography>
          </Box>
        )}
      </Box>
      <TextField
        type="number"
        size="small"
        label={t('alerts.threshold')}
        placeholder={t('alerts.off')}
        value={typed}
        disabled={isDisabled}
        onChange={({ target }) => change(target.value)}
        slotProps={{
          htmlInput: {
            min: 1,
            max: MAX_THRESHOLDS[kind],
            step: 1,
            'aria-label': `${t(`alerts.kind.${kind}`)}: ${t('alerts.threshold')}`,
          },
          inputLabel: { shrink: true },
        }}
      />
    </Row>
  );
}
