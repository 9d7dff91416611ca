import PersonIcon from '@mui/icons-material/TheaterComedyOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { CodeText } from '../../../elements/code-text.tsx';
import { ForeignText } from '../../../elements/foreign-text.tsx';
import { showControls } from '../../../elements/show-controls.ts';
import { useRights } from '../../../session/session.ts';
import { useActing } from './acting.ts';
import { RefusedActNote } from './refused-act-note.tsx';
import type { FoundStandIn } from './use-stand-in.ts';

type Other = Extract<FoundStandIn, { kind: 'other' }>;

/** Says, as long as it is so, in whose place data are seen and changed. */
export function ActingBar() {
  const { t } = useTranslation('data');
  const { who, choose, stop } = useActing();
  const { mayChange } = useRights();
  if (who.kind !== 'other') return null;
  return (
    <Box
      component="section"
      aria-label={t('actAs.bar')}
      sx={{ position: 'sticky', top: 0, zIndex: 'appBar', display: 'flex', flexDirection: 'column', gap: 1 }}
    >
      <Alert
        severity="warning"
        icon={<PersonIcon />}
        sx={{ border: 2, borderColor: 'warning.main' }}
        action={
          <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'end' }}>
            <Button color="inherit" size="small" onClick={choose}>
              {t('actAs.change')}
            </Button>
            <Button color="inherit" size="small" variant="outlined" onClick={stop}>
              {t('actAs.stop')}
            </Button>
          </Box>
        }
      >
        <div role="status">
          {t('actAs.as')} <strong>{nameOf(who)}</strong>
        </div>
        {/* Phones have room for who and with what. */}
        <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
          {t(mayChange ? 'actAs.judged' : 'actAs.judgedLooking')}
        </Box>{' '}
        {claimsOf(who)}
        {who.isGone && <div>{t('actAs.gone')}</div>}
        {who.account?.disabled === true && <div>{t('actAs.disabledHint')}</div>}
      </Alert>
      <RefusedActNote />
    </Box>
  );

  function nameOf({ account, auth }: Other) {
    if (auth === null) return t('actAs.nobody');
    const uid = auth['uid'];
    const name = account?.email ?? account?.displayName ?? (typeof uid === 'string' ? uid : undefined);
    return name === undefined ? t('actAs.somebody') : <ForeignText text={name} />;
  }

  function claimsOf({ account, standIn }: Other) {
    const claims = standIn.kind === 'claims' ? JSON.stringify(standIn.auth) : account?.customAttributes;
    if (claims === undefined || claims === '{}') return null;
    return (
      <>
        {t('actAs.ownClaims')} <CodeText>{showControls(claims.slice(0, MAX_SHOWN))}</CodeText>
      </>
    );
  }
}

/** Claims that are shown, in characters. */
const MAX_SHOWN = 200;
